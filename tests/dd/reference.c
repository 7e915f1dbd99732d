/*
 * ddmin by the book (Zeller and Hildebrandt 2002, figure 5): reduce to a subset, else to a
 * complement, else double the granularity. Slow and plain on purpose; memory is kept of every set
 * as a string of bits.
 */
#include <stdlib.h>
#include <string.h>

#include "reference.h"

#define BUCKETS 65536

/* A set that was tested. */
struct memory {
	struct memory *next;
	bool fails;
	uint8_t bits[];
};

struct search {
	bool (*fails)(void *context, const uint32_t *units, uint32_t size);
	void *context;
	struct memory *seen[BUCKETS];
	size_t bytes; /* of a string of bits */
	uint64_t tests, known;
};

static struct memory *remember(struct search *s, const uint32_t *units, uint32_t size, bool *new)
{
	struct memory *m = calloc(1, sizeof(*m) + s->bytes), *old;
	uint32_t bucket = 5381;

	if (!m)
		abort();
	for (uint32_t i = 0; i < size; i++) {
		m->bits[units[i] / 8] |= (uint8_t)(1 << units[i] % 8);
		bucket = bucket * 33 + units[i];
	}
	for (old = s->seen[bucket % BUCKETS]; old; old = old->next)
		if (!memcmp(old->bits, m->bits, s->bytes))
			break;
	*new = !old;
	if (old) {
		free(m);
		return old;
	}
	m->next = s->seen[bucket % BUCKETS];
	s->seen[bucket % BUCKETS] = m;
	return m;
}

static bool test(struct search *s, const uint32_t *units, uint32_t size)
{
	bool new;
	struct memory *m = remember(s, units, size, &new);

	if (new) {
		s->tests++;
		m->fails = s->fails(s->context, units, size);
	} else {
		s->known++;
	}
	return m->fails;
}

static void forget(struct search *s)
{
	for (int b = 0; b < BUCKETS; b++)
		for (struct memory *m = s->seen[b], *next; m; m = next) {
			next = m->next;
			free(m);
		}
}

/* Cuts into n parts: part i is from starts[i] to starts[i + 1]. */
static void split(uint32_t size, uint32_t n, uint32_t *starts)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < n; i++) {
		starts[i] = at;
		at += (size - at) / (n - i);
	}
	starts[n] = size;
}

static bool reduce_to_subset(struct search *s, uint32_t *set, uint32_t *size, uint32_t n,
                             const uint32_t *starts)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t part = starts[i + 1] - starts[i];

		if (!test(s, set + starts[i], part))
			continue;
		memmove(set, set + starts[i], part * sizeof(*set));
		*size = part;
		return true;
	}
	return false;
}

static bool reduce_to_complement(struct search *s, uint32_t *set, uint32_t *size, uint32_t n,
                                 const uint32_t *starts)
{
	uint32_t *rest = malloc((*size + 1) * sizeof(*rest));
	bool found = false;

	if (!rest)
		abort();
	for (uint32_t i = 0; i < n && !found; i++) {
		uint32_t behind = *size - starts[i + 1];

		memcpy(rest, set, starts[i] * sizeof(*set));
		memcpy(rest + starts[i], set + starts[i + 1], behind * sizeof(*set));
		found = test(s, rest, starts[i] + behind);
		if (found) {
			*size = starts[i] + behind;
			memcpy(set, rest, *size * sizeof(*set));
		}
	}
	free(rest);
	return found;
}

static void ddmin(struct search *s, uint32_t *set, uint32_t *size)
{
	uint32_t n = 2;
	uint32_t *starts = malloc((*size + 2) * sizeof(*starts));

	if (!starts)
		abort();
	while (*size >= 2) {
		split(*size, n, starts);
		if (reduce_to_subset(s, set, size, n, starts))
			n = 2;
		else if (reduce_to_complement(s, set, size, n, starts))
			n = n > 3 ? n - 1 : 2;
		else if (n < *size)
			n = 2 * n < *size ? 2 * n : *size;
		else
			break;
		if (n > *size && *size)
			n = *size;
	}
	free(starts);
}

struct reference_result
reference_ddmin(uint32_t count, bool (*fails)(void *context, const uint32_t *units, uint32_t size),
                void *context)
{
	struct search *s = calloc(1, sizeof(*s));
	struct reference_result r = {.units = calloc(count + 1, sizeof(uint32_t)), .size = count};

	if (!s || !r.units)
		abort();
	s->fails = fails;
	s->context = context;
	s->bytes = count / 8 + 1;
	for (uint32_t i = 0; i < count; i++)
		r.units[i] = i;
	if (count && test(s, r.units, 0))
		r.size = 0;
	else
		ddmin(s, r.units, &r.size);
	r.tests = s->tests;
	r.known = s->known;
	forget(s);
	free(s);
	return r;
}
