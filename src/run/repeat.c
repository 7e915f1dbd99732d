/* Compares two recordings: see repeat.h. */
#include "run/repeat.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK 65536u

/* A file as it lies in memory. */
struct mapping {
	const uint8_t *bytes;
	uint64_t size;
};

static struct hence_error *map(const struct tape *tape, struct mapping *out)
{
	out->size = tape->end;
	return tape_map(tape, tape->end, &out->bytes);
}

static void unmap(struct mapping *mapping)
{
	munmap((void *)mapping->bytes, mapping->size);
}

static bool compare_heads(const struct hence_head *a, const struct hence_head *b,
                          struct repeat_difference *out)
{
	const struct {
		const char *name;
		uint64_t values[2];
	} fields[] = {
		{"address of the stack", {a->stack_base, b->stack_base}},
		{"address of argv", {a->argv, b->argv}},
		{"address of environ", {a->environ, b->environ}},
		{"number of arguments", {a->argc, b->argc}},
		{"state at the end", {a->state, b->state}},
		{"parent", {a->parent, b->parent}},
		{"place of the fork", {a->parent_at, b->parent_at}},
		{"count of outside calls", {a->outside, b->outside}},
		{"count of calls without a model", {a->unmodelled, b->unmodelled}},
		{"size of the handlers' stream", {a->side_size, b->side_size}},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (fields[i].values[0] == fields[i].values[1])
			continue;
		out->field = fields[i].name;
		memcpy(out->values, fields[i].values, sizeof(out->values));
		return false;
	}
	return true;
}

static struct hence_error *compare_tapes(const struct tape *a, const struct tape *b,
                                         struct repeat_difference *out)
{
	struct mapping x, y;
	struct hence_error *error;

	if (a->condition != TAPE_GOOD || b->condition != TAPE_GOOD) {
		out->same = a->condition == b->condition;
		out->field = "condition of the tape";
		out->values[0] = a->condition;
		out->values[1] = b->condition;
		return NULL;
	}
	error = map(a, &x);
	if (error)
		return error;
	error = map(b, &y);
	if (!error) {
		/* Position of the first byte that differs; the shorter one's end when it is the
		   other's start. */
		uint64_t size = x.size < y.size ? x.size : y.size;
		uint64_t at = HENCE_STREAM;

		while (at + CHUNK <= size && !memcmp(x.bytes + at, y.bytes + at, CHUNK))
			at += CHUNK;
		while (at < size && x.bytes[at] == y.bytes[at])
			at++;
		out->offset = at;

		out->bytes += out->offset - HENCE_STREAM;
		out->same = out->offset == x.size && x.size == y.size &&
		            compare_heads(&a->head, &b->head, out);
		unmap(&y);
	}
	unmap(&x);
	return error;
}

struct hence_error *repeat_compare(const struct tapes *first, const struct tapes *second,
                                   struct repeat_difference *out)
{
	struct repeat_difference result = {.same = true};
	uint32_t sizes[2] = {first->list.size, second->list.size};

	for (uint32_t i = 0; result.same && i < sizes[0] && i < sizes[1]; i++) {
		struct hence_error *error =
			compare_tapes(&first->list.at[i], &second->list.at[i], &result);

		if (error)
			return error;
		result.tape = i;
	}
	if (result.same && sizes[0] != sizes[1]) {
		result.same = false;
		result.field = "number of tapes";
		result.values[0] = sizes[0];
		result.values[1] = sizes[1];
	}
	*out = result;
	return NULL;
}
