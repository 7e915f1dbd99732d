/* The statements of a function that two versions have: see version_match.h. */
#include "align/version_match.h"

#include <stdlib.h>

/* Those of a function, with what must be equal. */
struct place {
	uint32_t line; /* in version a */
	int32_t column;
	uint32_t kind;
	uint32_t number;
	uint64_t ways; /* where a branch on a line that was replaced leads to; 0: of all others */
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->ways != y->ways)
		return x->ways < y->ways ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static bool is_same_place(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->column == b->column && a->kind == b->kind &&
	       a->ways == b->ways;
}

/* The line of version a on which the block begins; 0: it begins on none that both have. */
static uint32_t first_line(const struct version_lines *lines, unsigned version,
                           LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);
	uint32_t line = 0;
	int32_t column;

	while (i && !LLVMInstructionGetDebugLoc(i))
		i = LLVMGetNextInstruction(i);
	return i && version_line(lines, version, i, &line, &column) ? line : 0;
}

/* A condition may have become another one that decides about the same: of the branches on a line that was
   replaced, the last one that leads to lines which both versions have. */
static bool find_replaced(const struct version_lines *lines, unsigned version, LLVMValueRef i,
                          struct place *out, uint32_t *count)
{
	struct place *p = &out[*count];
	uint32_t ways[2];

	if (!LLVMIsATerminatorInst(i) || LLVMGetNumSuccessors(i) < 2 ||
	    !version_replaced(lines, version, i, &p->line))
		return false;
	for (unsigned k = 0; k < 2; k++)
		ways[k] = first_line(lines, version, LLVMGetSuccessor(i, k));
	if (!ways[0] || !ways[1])
		return false;
	p->column = 0;
	p->ways = (uint64_t)ways[0] << 32 | ways[1];
	for (uint32_t k = 0; k < *count; k++) {
		if (out[k].line == p->line && out[k].ways) {
			out[k] = *p;
			return false;
		}
	}
	return true;
}

/* Statements on lines that both have, and what stands for those that were replaced, sorted. Returns how
   many. */
static uint32_t list_places(const struct plan_function *f, const struct version_lines *lines,
                            unsigned version, struct place *out)
{
	uint32_t number = 0, count = 0;

	for (uint32_t b = 0; b < f->blocks.size; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[b].block);

		for (; i; i = LLVMGetNextInstruction(i)) {
			struct place *p = &out[count];

			if (!plan_ends_statement(i))
				continue;
			*p = (struct place){.number = number++};
			p->kind = LLVMGetInstructionOpcode(i);
			if (version_line(lines, version, i, &p->line, &p->column) ||
			    find_replaced(lines, version, i, out, &count))
				count++;
		}
	}
	qsort(out, count, sizeof(*out), by_place);
	return count;
}

/* The kth of those at one place is the kth of the other version. */
void version_match(struct version_pair *pair, const struct version_lines *lines)
{
	struct place *places[2];
	uint32_t counts[2], at[2] = {0};

	for (unsigned v = 0; v < 2; v++) {
		places[v] = mem_alloc((pair->counts[v] + 1) * sizeof(*places[v]));
		counts[v] = list_places(pair->functions[v], lines, v, places[v]);
	}
	while (at[0] < counts[0] && at[1] < counts[1]) {
		const struct place *a = &places[0][at[0]], *b = &places[1][at[1]];

		if (is_same_place(a, b)) {
			pair->matches[0][a->number] = b->number;
			pair->matches[1][b->number] = a->number;
			at[0]++;
			at[1]++;
		} else {
			at[by_place(a, b) < 0 ? 0 : 1]++;
		}
	}
	free(places[0]);
	free(places[1]);
}
