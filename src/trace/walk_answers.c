/* What a walk has found out: see walk.h. */
#include "trace/walker.h"

#include <string.h>

const struct walk_counts *walk_counts(const struct walk *w)
{
	return &w->counts;
}

const struct tape_file *walk_tape(const struct walk *w)
{
	return w->tapes.at[w->tapes.size - 1];
}

uint32_t walk_depth(const struct walk *w)
{
	return w->stack.size;
}

uint32_t walk_block(const struct walk *w)
{
	const struct context *c = &w->stack.at[w->stack.size - 1];

	return c->function ? c->block : UINT32_MAX;
}

const struct program *walk_program(const struct walk *w)
{
	return w->program;
}

/* The nearest instruction at or before a record, in its block, that has a source position. */
static LLVMValueRef located(LLVMValueRef instruction)
{
	LLVMValueRef i;

	for (i = instruction; i; i = LLVMGetPreviousInstruction(i))
		if (LLVMGetDebugLocLine(i))
			return i;
	for (i = instruction; i; i = LLVMGetNextInstruction(i))
		if (LLVMGetDebugLocLine(i))
			return i;
	return NULL;
}

bool walk_where(const struct walk *w, uint32_t depth, struct walk_place *place)
{
	const struct context *inner = NULL;

	for (uint32_t i = w->stack.size; i-- > 0; inner = &w->stack.at[i]) {
		const struct context *c = &w->stack.at[i];
		LLVMValueRef instruction;
		unsigned length;

		if (!c->function || depth--)
			continue;
		*place = (struct walk_place){.function = c->function->name};
		if (inner && !inner->function && inner->callee)
			place->outside = walker_outside_name(w, inner->callee);
		instruction = located(c->function->records.at[c->record].instruction);
		if (instruction) {
			place->file = LLVMGetDebugLocFilename(instruction, &length);
			place->line = LLVMGetDebugLocLine(instruction);
			place->column = LLVMGetDebugLocColumn(instruction);
		}
		return true;
	}
	return false;
}

static int by_calls(const void *a, const void *b)
{
	const struct walk_outside *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

uint32_t walk_outside(const struct walk *w, struct walk_outside **out)
{
	struct walk_outside *list = mem_alloc((w->outside.size + 1) * sizeof(*list));
	uint32_t count = 0;

	map_each(&w->outside, i)
	{
		list[count].name = walker_outside_name(w, w->outside.at[i].key);
		list[count++].calls = w->outside.at[i].value;
	}
	qsort(list, count, sizeof(*list), by_calls);
	*out = list;
	return count;
}
