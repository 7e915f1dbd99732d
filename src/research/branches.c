/*
 * Control dependences (flow.h), after Ferrante, Ottenstein and Warren: what lies between a successor of a branch and the place where its
 * ways meet again depends on the branch. What is executed whenever the function is depends on the calls of it.
 */
#include "model/control.h"
#include "research/flow.h"

/* All lines of a block depend on `line`. */
static void depend_block(struct flow *f, const struct plan_block *block, uint32_t line)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block->block); i;
	     i = LLVMGetNextInstruction(i)) {
		uint32_t *own = score_value_map_find(&f->lines, (uintptr_t)i);

		if (own)
			score_graph_edge(f->graph, line, *own - 1, SCORE_CONTROL);
	}
}

/* From a block along the places where ways meet, up to `end`. A loop without an end may lead back to itself. */
static void depend_ways(struct flow *f, const struct plan_function *of, const uint32_t *meets,
                        uint32_t from, uint32_t end, uint32_t line)
{
	for (uint32_t steps = 0; from != end && from != CONTROL_EXIT && steps < of->blocks.size;
	     steps++) {
		depend_block(f, &of->blocks.at[from], line);
		from = meets[from];
	}
}

static void add_function(struct flow *f, uint32_t index)
{
	const struct plan_function *of = f->functions->all.at[index].of;
	uint32_t *meets = control_postdominators(of), line;

	for (uint32_t b = 0; b < of->blocks.size; b++) {
		const struct plan_block *block = &of->blocks.at[b];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);

		if (block->successors < 2 || !end)
			continue;
		line = flow_line(f, end);
		for (uint32_t i = 0; line != FLOW_NO_LINE && i < block->successors; i++)
			depend_ways(f, of, meets, of->successors.at[block->successor + i], meets[b],
			            line);
	}
	for (uint32_t i = 0; i < f->all.at[index].calls.size; i++) {
		line = f->calls.at[f->all.at[index].calls.at[i]].line;
		if (line != FLOW_NO_LINE)
			depend_ways(f, of, meets, 0, CONTROL_EXIT, line);
	}
	free(meets);
}

void flow_branches(struct flow *f)
{
	for (uint32_t i = 0; i < f->functions->all.size; i++)
		add_function(f, i);
}
