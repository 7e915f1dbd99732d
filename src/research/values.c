/* Data dependences through values of the IR, parameters and results: see flow.h. */
#include <string.h>

#include "research/flow.h"

#define DEEPEST 16 /* operands of operands that belong to no line */

static void depend_on(struct flow *f, LLVMValueRef value, uint32_t line, int depth)
{
	uint32_t from;

	if (LLVMIsAArgument(value)) {
		uint32_t function = score_functions_find(f->functions, LLVMGetParamParent(value));

		for (uint32_t i = 0;
		     function != SCORE_NO_FUNCTION && i < f->all.at[function].calls.size; i++) {
			from = f->calls.at[f->all.at[function].calls.at[i]].line;
			if (from != FLOW_NO_LINE)
				score_graph_edge(f->graph, from, line, SCORE_DATA);
		}
		return;
	}
	if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value))
		return;
	from = flow_line(f, value);
	if (from != FLOW_NO_LINE) {
		score_graph_edge(f->graph, from, line, SCORE_DATA);
		return;
	}
	for (int i = 0; depth && i < LLVMGetNumOperands(value); i++)
		depend_on(f, LLVMGetOperand(value, (unsigned)i), line, depth - 1);
}

void flow_depend_on(struct flow *f, LLVMValueRef value, uint32_t line)
{
	depend_on(f, value, line, DEEPEST);
}

/* `a && b` as a value: which side it came from was decided by the branch. */
static void depend_on_ways(struct flow *f, LLVMValueRef phi, uint32_t line)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));

		if (LLVMGetNumSuccessors(end) > 1)
			flow_depend_on(f, end, line);
	}
}

static void add_uses(struct flow *f, LLVMValueRef i)
{
	uint32_t line = flow_line(f, i);

	if (line == FLOW_NO_LINE)
		return;
	if (LLVMIsAPHINode(i))
		depend_on_ways(f, i, line);
	for (int k = 0; k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);

		if (!LLVMIsABasicBlock(operand))
			flow_depend_on(f, operand, line);
	}
}

/* The line of the call depends on those that return. An outside function that calls back, as qsort(), does with the result what it likes. */
static void add_returns(struct flow *f, const struct flow_call *call, uint32_t callee)
{
	const struct plan_function *of = f->functions->all.at[callee].of;

	if (call->line == FLOW_NO_LINE ||
	    (!call->callees.outside &&
	     LLVMGetTypeKind(LLVMTypeOf(call->instruction)) == LLVMVoidTypeKind))
		return;
	for (uint32_t b = 0; b < of->blocks.size; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(of->blocks.at[b].block);

		if (end && LLVMIsAReturnInst(end))
			flow_depend_on(f, end, call->line);
	}
}

static bool starts_rest(LLVMValueRef i)
{
	const char *intrinsic = ir_intrinsic(i);

	return intrinsic && !strncmp(intrinsic, "va_start", 8);
}

static void add_rest(struct flow *f, uint32_t function, LLVMValueRef start)
{
	uint32_t line = flow_line(f, start), from;

	for (uint32_t i = 0; line != FLOW_NO_LINE && i < f->all.at[function].calls.size; i++) {
		from = f->calls.at[f->all.at[function].calls.at[i]].line;
		if (from != FLOW_NO_LINE)
			score_graph_edge(f->graph, from, line, SCORE_DATA);
	}
}

/* What setjmp() gives comes from longjmp(), and so does that it goes on there. */
static void add_leaps(struct flow *f)
{
	for (uint32_t i = 0; f->landings.size && i < f->events.size; i++) {
		uint32_t from = f->events.at[i].line, to;

		for (uint32_t k = 0; f->events.at[i].kind == FLOW_LEAP && k < f->landings.size;
		     k++) {
			to = f->events.at[f->landings.at[k]].line;
			if (from != FLOW_NO_LINE && to != FLOW_NO_LINE)
				score_graph_edge(f->graph, from, to, SCORE_DATA);
		}
	}
}

void flow_values(struct flow *f)
{
	for (uint32_t n = 0; n < f->functions->all.size; n++) {
		const struct plan_function *of = f->functions->all.at[n].of;

		for (uint32_t b = 0; b < of->blocks.size; b++)
			for (LLVMValueRef i = LLVMGetFirstInstruction(of->blocks.at[b].block); i;
			     i = LLVMGetNextInstruction(i)) {
				add_uses(f, i);
				if (starts_rest(i))
					add_rest(f, n, i);
			}
	}
	for (uint32_t i = 0; i < f->calls.size; i++)
		for (uint32_t k = 0; k < f->calls.at[i].callees.all.size; k++)
			add_returns(f, &f->calls.at[i], f->calls.at[i].callees.all.at[k]);
	add_leaps(f);
}
