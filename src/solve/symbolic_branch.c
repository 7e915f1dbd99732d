/* Conditions of branches: see symbolic.h. */
#include "solve/symbolic_work.h"

static uint32_t block_of(const struct code_function *f, uint32_t code)
{
	uint32_t low = 0, high = f->plan->blocks.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->blocks[middle] <= code - f->first)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The value leads to the block that successor `way` is. Cases that lead where the default does, belong to it. */
static term switched(struct symbolic *s, LLVMValueRef i, term value, uint32_t way)
{
	LLVMBasicBlockRef to = LLVMGetSuccessor(i, way);
	bool is_default = to == LLVMGetSuccessor(i, 0);
	unsigned cases = ir_case_count(i);
	term any = term_constant(s->terms, 1, 0);

	for (unsigned k = 0; k < cases; k++)
		if ((LLVMGetSuccessor(i, k + 1) == to) != is_default)
			any = symbolic_make(
				s, TERM_OR, 1, any,
				term_equals(s->terms, value,
			                    LLVMConstIntGetZExtValue(ir_case_value(i, k))));
	return is_default ? term_not(s->terms, any) : any;
}

static term branched(struct symbolic *s, uint32_t instance, term condition, uint32_t way)
{
	bool was = execution_value(s->execution, instance) & 1;

	if (way > 1 && way != UINT32_MAX)
		return 0;
	if (way == UINT32_MAX)
		way = !was;
	return way ? term_not(s->terms, condition) : condition;
}

/* Did it go as its operand says? Not where that was never initialised, nor where it was forced. */
static bool went_as_it_says(const struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	uint64_t value = execution_value(s->execution, instance);
	uint64_t says = symbolic_input_value(s, instance, insn->a);

	return insn->op == CODE_BRANCH ? (says & 1) == (value & 1) : says == value;
}

term symbolic_branch(struct symbolic *s, uint32_t instance, uint32_t way)
{
	const struct code_insn *insn;
	const struct code_function *f;
	LLVMValueRef i;
	uint32_t code;
	term value;

	if (!symbolic_keeps(s, instance))
		return 0;
	insn = execution_insn(s->execution, instance);
	if (insn->op < CODE_BRANCH || insn->op > CODE_JUMP || !went_as_it_says(s, instance))
		return 0;
	i = execution_instruction(s->execution, instance);
	if (insn->op == CODE_BRANCH)
		return branched(s, instance, symbolic_input(s, instance, insn->a, 1), way);
	if (insn->op == CODE_JUMP)
		return way == UINT32_MAX
		               ? term_equals(s->terms, symbolic_input(s, instance, insn->a, 64),
		                             execution_value(s->execution, instance))
		               : 0;
	value = symbolic_operand(s, instance, 0);
	code = execution_code(s->execution, instance);
	f = code_of(execution_code_table((struct execution *)s->execution), code);
	if (way == UINT32_MAX)
		way = plan_branch_successor(f->plan, block_of(f, code),
		                            execution_value(s->execution, instance));
	return value && way < LLVMGetNumSuccessors(i) ? switched(s, i, value, way) : 0;
}
