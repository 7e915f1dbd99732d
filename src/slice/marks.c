/* What a slice has found so far: see marks.h. */
#include "slice/marks.h"

#include <stdlib.h>
#include <sys/mman.h>

#define BITS  (1ull << 31) /* instances have 31 bits */
#define BYTES (BITS / 8 + 8)

/* --- bits --- */

/* Pages come when they are touched. */
static uint64_t *map_bits(void)
{
	void *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
	               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void unmap_bits(uint64_t *bits)
{
	if (bits)
		munmap(bits, BYTES);
}

struct hence_error *marks_init(struct marks *marks)
{
	*marks = (struct marks){
		.in = map_bits(), .want = map_bits(), .values = map_bits(), .codes = map_bits()};
	if (marks->in && marks->want && marks->values && marks->codes)
		return NULL;
	marks_deinit(marks);
	return error_create(HENCE_ERROR_INPUT, "no memory is left for a slice");
}

void marks_deinit(struct marks *marks)
{
	unmap_bits(marks->in);
	unmap_bits(marks->want);
	unmap_bits(marks->values);
	unmap_bits(marks->codes);
	marks_drop_ranges(marks, 0);
	marks_map_deinit(&marks->ranges);
	*marks = (struct marks){0};
}

uint32_t marks_next(const uint64_t *bits, uint32_t from, uint32_t end)
{
	uint32_t word = from / 64;
	uint64_t rest;

	if (from >= end)
		return end;
	rest = bits[word] & ~0ull << from % 64;
	while (!rest && ++word < (end + 63) / 64)
		rest = bits[word];
	if (!rest)
		return end;
	from = word * 64 + (uint32_t)__builtin_ctzll(rest);
	return from < end ? from : end;
}

/* --- ranges --- */

static int compare(const void *a, const void *b)
{
	const struct execution_range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void sort(struct marks_ranges *r)
{
	uint32_t count = 0;

	if (r->sorted == r->at.size)
		return;
	qsort(r->at.at, r->at.size, sizeof(*r->at.at), compare);
	for (uint32_t i = 0; i < r->at.size; i++) {
		struct execution_range *last = count ? &r->at.at[count - 1] : NULL;

		if (!last || r->at.at[i].from > last->to)
			r->at.at[count++] = r->at.at[i];
		else if (r->at.at[i].to > last->to)
			last->to = r->at.at[i].to;
	}
	r->sorted = r->at.size = count;
}

void marks_add_range(struct marks *marks, uint32_t instance, uint64_t at, uint64_t size)
{
	struct marks_ranges *r = marks_map_put(&marks->ranges, instance);
	struct execution_range *last = r->at.size ? &r->at.at[r->at.size - 1] : NULL;

	if (!size)
		r->whole = true;
	if (r->whole || (last && last->from <= at && at + size <= last->to))
		return;
	/* Loops go through memory: the next piece is often just behind or before the last. */
	if (last && r->at.size > r->sorted && last->to == at) {
		last->to += size;
	} else if (last && r->at.size > r->sorted && last->from == at + size) {
		last->from = at;
	} else {
		*vec_push(&r->at) = (struct execution_range){at, at + size};
		/* In order again, each time that there are twice as many. */
		if (r->at.size >= 2 * r->sorted + 16)
			sort(r);
	}
}

const struct marks_ranges *marks_ranges(struct marks *marks, uint32_t instance)
{
	struct marks_ranges *r = marks_map_find(&marks->ranges, instance);

	if (r)
		sort(r);
	return r;
}

bool marks_touch(struct marks *marks, uint32_t instance, uint64_t at, uint64_t size)
{
	const struct marks_ranges *r = marks_ranges(marks, instance);
	uint32_t low = 0, high = r ? r->at.size : 0;

	if (r && r->whole)
		return true;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->at.at[middle].to > at)
			high = middle;
		else
			low = middle + 1;
	}
	return r && low < r->at.size && r->at.at[low].from < at + size;
}

void marks_drop_ranges(struct marks *marks, uint32_t from)
{
	struct marks_map old = marks->ranges;

	marks->ranges = (struct marks_map)MAP_INIT;
	map_each(&old, i)
	{
		if (old.at[i].key < from)
			*marks_map_put(&marks->ranges, old.at[i].key) = old.at[i].value;
		else
			vec_deinit(&old.at[i].value.at);
	}
	marks_map_deinit(&old);
}
