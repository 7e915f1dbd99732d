/* Which lines compute the same in two runs: see values.h. */
#include "spectra/values.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "trace/history.h"

#define WINDOW (1u << 20) /* instances that are kept at a time */
#define STEP   (1u << 16) /* after which `stop` is called */

MAP_DEFINE_U64(line_hashes, uint64_t);

struct values {
	struct line_hashes lines; /* by key_of() */
};

static uint64_t key_of(const char *file, size_t length, unsigned line)
{
	uint64_t key = map_hash_u64(line);

	for (size_t i = 0; i < length; i++)
		key = map_hash_u64(key ^ (uint8_t)file[i]);
	return key;
}

/* Of an instruction: all that it computed, in order. */
struct computed {
	uint64_t hash;
	enum {
		UNKNOWN,
		VALUES,
		PASSES, /* a call, a store, a branch: how often */
		LEFT_OUT,
	} kind;
};

static int kind_of(LLVMValueRef instruction)
{
	switch (LLVMGetTypeKind(LLVMTypeOf(instruction))) {
	case LLVMPointerTypeKind: return LEFT_OUT;
	case LLVMIntegerTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind: return VALUES;
	default: return PASSES;
	}
}

struct hence_error *values_find(const struct recording *run, bool (*stop)(void *context),
                                void *context, struct values **out)
{
	const struct execution_options options = {
		.table = run->table, .retain = true, .windows = true};
	VEC(struct computed) all = VEC_INIT; /* by the number of the instruction */
	bool ended = false, stopped = false;
	struct execution *whole, *e;
	struct hence_error *error = history_whole(run, &whole);
	struct code *table;

	*out = NULL;
	if (!error && !whole)
		error = execution_create(run->modules, run->folder, run->tape, &options, &e);
	if (error)
		return error;
	if (whole) {
		e = whole;
		ended = true;
	}
	table = execution_code_table(e);
	while (!error && !stopped) {
		uint32_t first, end;

		execution_kept(e, &first, &end);
		while (!error && !ended && !stopped &&
		       execution_next(e) < (uint64_t)first + WINDOW) {
			error = execution_advance(e, (uint64_t)execution_next(e) + STEP, run->death,
			                          &ended);
			stopped = !ended && stop && stop(context);
		}
		execution_kept(e, &first, &end);
		for (uint32_t i = first; i < end && !error && !stopped; i++) {
			uint32_t code = execution_code(e, i);
			struct computed *c;

			while (all.size <= code)
				*vec_push(&all) = (struct computed){0};
			c = &all.at[code];
			if (c->kind == UNKNOWN)
				c->kind = kind_of(execution_instruction(e, i));
			if (c->kind != LEFT_OUT)
				c->hash = map_hash_u64(
					c->hash ^
					(c->kind == VALUES ? execution_value(e, i) + 1 : 1));
		}
		if (ended)
			break;
		execution_window(e, true);
	}
	if (!error && !stopped) {
		*out = mem_alloc(sizeof(**out));
		for (uint32_t code = 0; code < all.size; code++) {
			const struct code_function *f;
			LLVMValueRef i;
			unsigned length = 0;
			const char *file;

			if (all.at[code].kind == UNKNOWN || all.at[code].kind == LEFT_OUT)
				continue;
			f = code_of(table, code);
			i = f->instructions[code - f->first];
			if (!i || !LLVMIsAInstruction(i) || !LLVMInstructionGetDebugLoc(i))
				continue;
			file = LLVMGetDebugLocFilename(i, &length);
			/* Instructions are the same objects in all runs of a program. */
			if (file)
				*line_hashes_put(&(*out)->lines,
				                 key_of(file, length, LLVMGetDebugLocLine(i))) ^=
					map_hash_u64(all.at[code].hash ^ (uintptr_t)i);
		}
	}
	if (!whole)
		execution_destroy(e);
	vec_deinit(&all);
	return error;
}

void values_destroy(struct values *values)
{
	if (values)
		line_hashes_deinit(&values->lines);
	free(values);
}

bool values_same(const struct values *a, const struct values *b, const char *file, unsigned line)
{
	uint64_t key = key_of(file, strlen(file), line);
	const uint64_t *one = line_hashes_find(&a->lines, key);
	const uint64_t *two = line_hashes_find(&b->lines, key);

	return one && two && *one == *two;
}
