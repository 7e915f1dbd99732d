/* What the value of an instance was computed from: see symbolic_work.h. */
#include "solve/symbolic_work.h"

static struct symbolic_definition move(struct symbolic *s, uint32_t instance, uint32_t operand,
                                       uint32_t bits, enum symbolic_form form)
{
	return (struct symbolic_definition){form, symbolic_input(s, instance, operand, bits)};
}

/* A pointer and what is added to it. */
static struct symbolic_definition step(struct symbolic *s, uint32_t instance,
                                       const struct code_insn *insn)
{
	const struct code_indices *more = insn->more;
	term sum = symbolic_input(s, instance, insn->a, 64), index;

	for (uint32_t k = 0; insn->op != CODE_STEP; k++) {
		uint32_t bits = insn->op == CODE_INDEX ? insn->from : more->at[k].bits;
		uint64_t scale = insn->op == CODE_INDEX ? insn->scale : (uint64_t)more->at[k].scale;

		index = symbolic_input(
			s, instance, insn->op == CODE_INDEX ? insn->b : more->at[k].operand, bits);
		if (bits < 64)
			index = symbolic_make(s, TERM_SEXT, 64, index, 0);
		index = symbolic_make(s, TERM_MUL, 64, index, term_constant(s->terms, 64, scale));
		sum = symbolic_make(s, TERM_ADD, 64, sum, index);
		if (insn->op == CODE_INDEX || k + 1 == more->count)
			break;
	}
	sum = symbolic_make(s, TERM_ADD, 64, sum, term_constant(s->terms, 64, (uint64_t)insn->imm));
	return (struct symbolic_definition){SYMBOLIC_COMPUTED, sum};
}

static struct symbolic_definition given(struct symbolic *s, uint32_t instance,
                                        const struct symbol *symbol)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	struct symbolic_guard guard = symbolic_guard(s);
	uint32_t operands[CODE_OPERANDS], count = symbolic_operands(insn, operands);
	const struct code_asm *more = insn->more;

	for (uint32_t k = 0; k < count; k++)
		symbolic_guard_operand(&guard, instance, operands[k]);
	for (uint32_t k = 0; insn->op == CODE_ASM && k < more->operand_count; k++)
		symbolic_guard_operand(&guard, instance, more->operands[k]);
	return symbolic_given(&guard, symbol->bits, execution_value(s->execution, instance));
}

/* Is it a division that the program died of: by 0, or by -1 what has no opposite? That has no value. */
static bool traps(const struct symbolic *s, uint32_t instance, uint32_t divisor, LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	uint32_t bits;
	uint64_t value;

	if (opcode != LLVMUDiv && opcode != LLVMSDiv && opcode != LLVMURem && opcode != LLVMSRem)
		return false;
	bits = symbolic_type_bits(i, LLVMTypeOf(i));
	value = symbolic_input_value(s, instance, divisor) & symbolic_mask(bits);
	return !execution_value(s->execution, instance) && (!value || value == symbolic_mask(bits));
}

static struct symbolic_definition computed(struct symbolic *s, uint32_t instance,
                                           const struct symbol *symbol)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i = execution_instruction(s->execution, instance);
	uint32_t operands[CODE_OPERANDS], count = symbolic_operands(insn, operands);
	term in[CODE_OPERANDS], out = 0;
	uint32_t k;

	for (k = 0; k < count; k++) {
		uint32_t bits = symbolic_type_bits(i, LLVMTypeOf(LLVMGetOperand(i, k)));

		if (!bits)
			break;
		in[k] = symbolic_input(s, instance, operands[k], bits);
	}
	if (k == count && !symbolic_is_wide(s, instance) && !traps(s, instance, operands[1], i))
		out = symbolic_compute(s->terms, i, in);
	if (!out && !k && count)
		out = symbolic_wide_member(s, instance);
	if (!out)
		return given(s, instance, symbol);
	return (struct symbolic_definition){SYMBOLIC_COMPUTED, out};
}

/* The value of another instance, if it is that. */
static struct symbolic_definition taken(struct symbolic *s, uint32_t from,
                                        const struct symbol *symbol, enum symbolic_form form)
{
	uint64_t actual = execution_value(s->execution, symbol->instance);
	term t = 0;

	if (from >= EXECUTION_FIRST && symbolic_keeps(s, from) &&
	    (execution_insn(s->execution, from)->op != CODE_CALL ||
	     symbolic_has_returned(s, from, symbol->instance)))
		t = symbolic_token(s, from);
	if (!t ||
	    ((execution_value(s->execution, from) ^ actual) & symbolic_mask(symbol->bits)) != 0)
		return symbolic_constant(s, symbol->bits, actual);
	return (struct symbolic_definition){form, symbolic_fit(s->terms, t, symbol->bits)};
}

static struct symbolic_definition called(struct symbolic *s, const struct symbol *symbol)
{
	uint32_t source = execution_source(s->execution, symbol->instance);
	const struct code_call *call;

	if (source & EXECUTION_GROUP)
		return symbolic_define_outside(s, symbol->instance, symbol->bits,
		                               execution_value(s->execution, symbol->instance));
	/* What setjmp() returns once more, longjmp() was given. */
	if (symbolic_keeps(s, source) && execution_insn(s->execution, source)->op == CODE_CALL) {
		struct symbolic_guard guard = symbolic_guard(s);

		call = execution_insn(s->execution, source)->more;
		for (uint32_t i = 0; i < call->count; i++)
			symbolic_guard_operand(&guard, source, call->arguments[i].operand);
		return symbolic_given(&guard, symbol->bits,
		                      execution_value(s->execution, symbol->instance));
	}
	return taken(s, source, symbol, SYMBOLIC_RETURNED);
}

struct symbolic_definition symbolic_define_value(struct symbolic *s, const struct symbol *symbol)
{
	uint32_t instance = symbol->instance;
	const struct code_insn *insn = execution_insn(s->execution, instance);

	switch ((enum code_op)insn->op) {
	case CODE_STEP:
	case CODE_INDEX:
	case CODE_INDICES: return step(s, instance, insn);
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_ATOMIC: return symbolic_define_load(s, instance);
	case CODE_STORE: return move(s, instance, insn->a, symbol->bits, SYMBOLIC_WRITTEN);
	case CODE_RETURN: return move(s, instance, insn->a, symbol->bits, SYMBOLIC_COMPUTED);
	case CODE_PHI:
		return taken(s, execution_source(s->execution, instance), symbol, SYMBOLIC_READ);
	case CODE_CALL: return called(s, symbol);
	case CODE_ASM:
	case CODE_STORE_WIDE: return given(s, instance, symbol);
	case CODE_EVAL: return computed(s, instance, symbol);
	default: break;
	}
	if (insn->op >= CODE_ADD && insn->op <= CODE_MOVE)
		return computed(s, instance, symbol);
	return symbolic_constant(s, symbol->bits, execution_value(s->execution, instance));
}
