/* Operands and addresses as terms: see symbolic_work.h. */
#include "solve/symbolic_work.h"

term symbolic_fit(struct terms *terms, term t, uint32_t bits)
{
	uint32_t have = term_at(terms, t)->bits;

	if (have == bits)
		return t;
	return have > bits ? term_extract(terms, t, 0, bits)
	                   : term_make(terms, TERM_ZEXT, bits, t, 0, 0);
}

/* --- operands --- */

bool symbolic_has_returned(const struct symbolic *s, uint32_t call, uint32_t instance)
{
	uint32_t source = execution_source(s->execution, call);
	const struct execution_call *outside;

	if (!(source & EXECUTION_GROUP))
		return source && source < instance;
	outside = execution_call(s->execution, execution_group(s->execution, source)->call);
	return outside->returned && outside->until <= instance;
}

/* A parameter that code outside gave, or that was a constant in the call. */
static term passed(struct symbolic *s, uint32_t call, uint32_t instance, uint32_t bits,
                   uint64_t value)
{
	struct symbolic_guard guard = symbolic_guard(s);

	if (execution_source(s->execution, call) & EXECUTION_GROUP)
		symbolic_guard_outside(&guard, call, instance);
	return symbolic_given(&guard, bits, value).term;
}

term symbolic_input(struct symbolic *s, uint32_t instance, uint32_t operand, uint32_t bits)
{
	uint64_t value = 0;
	uint32_t made = 0, wanted = bits ? bits : 64;
	term t;

	execution_operand(s->execution, instance, operand, &value, &made);
	if (made < EXECUTION_FIRST || !symbolic_keeps(s, made))
		return term_constant(s->terms, wanted, value & symbolic_mask(wanted));
	if (execution_insn(s->execution, made)->op == CODE_CALL &&
	    !symbolic_has_returned(s, made, instance))
		return passed(s, made, instance, wanted, value);
	t = symbolic_token(s, made);
	if (!t)
		return term_constant(s->terms, wanted, value & symbolic_mask(wanted));
	return bits ? symbolic_fit(s->terms, t, bits) : t;
}

uint64_t symbolic_input_value(const struct symbolic *s, uint32_t instance, uint32_t operand)
{
	uint64_t value = 0;
	uint32_t made;

	execution_operand(s->execution, instance, operand, &value, &made);
	return value;
}

uint32_t symbolic_operands(const struct code_insn *insn, uint32_t *operands)
{
	const struct code_eval *more = insn->more;
	uint32_t count = 0;

	if (insn->op == CODE_EVAL) {
		for (; count < more->count; count++)
			operands[count] = more->in[count].operand;
	} else if (insn->op == CODE_STORE_WIDE || (insn->op >= CODE_ADD && insn->op <= CODE_MOVE)) {
		operands[count++] = insn->a;
		if (insn->op <= CODE_SLE)
			operands[count++] = insn->b;
	}
	return count;
}

/* The operand of the small instruction for LLVM's; CODE_NO_OPERAND: it is a constant, or there is none. */
static uint32_t operand_of(const struct symbolic *s, uint32_t instance, uint32_t number)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i = execution_instruction(s->execution, instance);
	const struct code_indices *indices = insn->more;
	const struct code_call *call = insn->more;
	const struct code_eval *eval = insn->more;
	const struct code_asm *assembly = insn->more;
	uint32_t k = 0;

	switch ((enum code_op)insn->op) {
	case CODE_EVAL: return number < eval->count ? eval->in[number].operand : CODE_NO_OPERAND;
	case CODE_CALL:
		if (number == call->count)
			return call->name ? CODE_NO_OPERAND : call->callee;
		return number < call->count ? call->arguments[number].operand : CODE_NO_OPERAND;
	case CODE_ASM:
		return number < assembly->operand_count ? assembly->operands[number]
		                                        : CODE_NO_OPERAND;
	case CODE_INDEX:
	case CODE_INDICES:
		if (!number)
			return insn->a;
		if (LLVMIsConstant(LLVMGetOperand(i, number)))
			return CODE_NO_OPERAND;
		for (uint32_t n = 1; n < number; n++)
			k += !LLVMIsAConstantInt(LLVMGetOperand(i, n));
		return insn->op == CODE_INDEX ? insn->b : indices->at[k].operand;
	case CODE_PHI:
	case CODE_LOCAL:
	case CODE_GOTO:
	case CODE_RECORDED: return CODE_NO_OPERAND;
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_STEP: return number ? CODE_NO_OPERAND : insn->a;
	default: return number == 0 ? insn->a : number == 1 ? insn->b : insn->c;
	}
}

term symbolic_operand(struct symbolic *s, uint32_t instance, uint32_t number)
{
	LLVMValueRef i, value;
	uint32_t bits, operand;

	if (!symbolic_keeps(s, instance))
		return 0;
	i = execution_instruction(s->execution, instance);
	if (number >= (uint32_t)LLVMGetNumOperands(i))
		return 0;
	value = LLVMGetOperand(i, number);
	if (LLVMValueIsBasicBlock(value))
		return 0;
	bits = symbolic_type_bits(i, LLVMTypeOf(value));
	operand = operand_of(s, instance, number);
	if (bits && operand == CODE_NO_OPERAND && LLVMIsAConstantInt(value))
		return term_constant(s->terms, bits, LLVMConstIntGetZExtValue(value));
	return bits && operand != CODE_NO_OPERAND ? symbolic_input(s, instance, operand, bits) : 0;
}

/* --- addresses --- */

/* Is it the place of a variable, by its name? */
static bool is_fixed(const struct symbolic *s, uint32_t instance, uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	for (;;) {
		const struct code_insn *insn;

		if (!execution_operand(s->execution, instance, operand, &value, &made) ||
		    made < EXECUTION_FIRST || !symbolic_keeps(s, made))
			return true;
		insn = execution_insn(s->execution, made);
		if (insn->op == CODE_CALL && !symbolic_has_returned(s, made, instance))
			return !(execution_source(s->execution, made) & EXECUTION_GROUP);
		if (insn->op == CODE_ALLOCA || insn->op == CODE_RECORDED)
			return true;
		if (insn->op != CODE_STEP)
			return false;
		instance = made;
		operand = insn->a;
	}
}

/* The nth pointer that a call was given. */
static uint32_t given_pointer(const struct code_call *call, uint32_t which)
{
	for (uint32_t i = 0; i < call->count; i++)
		if (call->arguments[i].letter == 'p' && !which--)
			return call->arguments[i].operand;
	return CODE_NO_OPERAND;
}

static uint32_t pointer_of(const struct code_insn *insn, uint32_t which)
{
	switch ((enum code_op)insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_ATOMIC:
	case CODE_FILL: return which ? CODE_NO_OPERAND : insn->a;
	case CODE_STORE:
	case CODE_STORE_WIDE: return which ? CODE_NO_OPERAND : insn->b;
	case CODE_COPY:
	case CODE_VA_COPY: return which > 1 ? CODE_NO_OPERAND : which ? insn->b : insn->a;
	case CODE_CALL: return given_pointer(insn->more, which);
	default: return CODE_NO_OPERAND;
	}
}

bool symbolic_address(struct symbolic *s, uint32_t instance, uint32_t which, term *out,
                      uint64_t *value)
{
	uint32_t operand;
	term pointer;

	if (!symbolic_keeps(s, instance))
		return false;
	operand = pointer_of(execution_insn(s->execution, instance), which);
	if (operand == CODE_NO_OPERAND || is_fixed(s, instance, operand))
		return false;
	pointer = symbolic_input(s, instance, operand, 64);
	if (term_is_constant(s->terms, pointer, NULL))
		return false;
	*out = pointer;
	*value = symbolic_input_value(s, instance, operand);
	return true;
}
