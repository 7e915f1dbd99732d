/* Parts of values of more than 64 bits: members of small structures that functions return, flags of overflow. See
   symbolic_work.h. */
#include "solve/symbolic_work.h"

/* What is looked for: bytes of a wide value, and what they were. */
struct part {
	struct symbolic *s;
	uint32_t offset, size;
	uint64_t actual;
	uint32_t reader;
	uint32_t done; /* bytes */
	term term;
};

/* --- bytes that were loaded --- */

static void note_loaded(void *context, const struct execution_origin *origin)
{
	struct part *p = context;
	uint32_t size = (uint32_t)origin->size;
	term t;

	if (!origin->size || p->done + origin->size > p->size)
		return;
	t = symbolic_part(p->s, symbolic_written(origin, 0, p->reader), size,
	                  p->actual >> 8 * p->done);
	p->term = p->done ? symbolic_make(p->s, TERM_CONCAT, 8 * (p->done + size), t, p->term) : t;
	p->done += size;
}

static term loaded(struct part *p, uint32_t instance)
{
	p->reader = instance;
	execution_origins(p->s->execution, instance, p->offset, p->offset + p->size, note_loaded,
	                  p);
	return p->done == p->size ? p->term : 0;
}

/* --- computed --- */

/* Who made an operand; 0: it is a constant, or was made before what is kept. */
static uint32_t maker_of(const struct symbolic *s, uint32_t instance, uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	if (!execution_operand(s->execution, instance, operand, &value, &made) ||
	    made < EXECUTION_FIRST || !symbolic_keeps(s, made) ||
	    (execution_insn(s->execution, made)->op == CODE_CALL &&
	     !symbolic_has_returned(s, made, instance)))
		return 0;
	return made;
}

static term overflow(struct part *p, uint32_t instance, const struct code_eval *more)
{
	LLVMValueRef i = execution_instruction(p->s->execution, instance);
	term in[2];

	if (more->count != 2 || more->in[0].words != 1)
		return 0;
	for (uint32_t k = 0; k < 2; k++)
		in[k] = symbolic_input(p->s, instance, more->in[k].operand,
		                       symbolic_type_bits(i, LLVMTypeOf(LLVMGetOperand(i, k))));
	return symbolic_overflow_part(p->s->terms, i, in, p->offset != 0);
}

/* The member that was put in, or one of what it was put into: *next. */
static term inserted(struct part *p, uint32_t instance, const struct code_eval *more,
                     uint32_t *next)
{
	LLVMValueRef i = execution_instruction(p->s->execution, instance);
	uint32_t offset, bits;

	if (!symbolic_member(i, LLVMTypeOf(i), &offset, &bits))
		return 0;
	if (offset == 8 * p->offset && (bits + 7) / 8 == p->size)
		return symbolic_input(p->s, instance, more->in[1].operand, bits);
	if (offset >= 8 * (p->offset + p->size) || offset + bits <= 8 * p->offset)
		*next = maker_of(p->s, instance, more->in[0].operand);
	return 0;
}

static term evaluated(struct part *p, uint32_t instance, uint32_t *next)
{
	const struct code_eval *more = execution_insn(p->s->execution, instance)->more;

	switch (LLVMGetInstructionOpcode(execution_instruction(p->s->execution, instance))) {
	case LLVMCall: return overflow(p, instance, more);
	case LLVMInsertValue: return inserted(p, instance, more, next);
	default: return 0;
	}
}

/* --- all --- */

static term find(struct part *p, uint32_t instance)
{
	const struct execution *e = p->s->execution;
	term t = 0;

	for (uint32_t next = 0; instance && !t; instance = next, next = 0) {
		const struct code_insn *insn = execution_insn(e, instance);
		uint32_t source = execution_source(e, instance);

		if (insn->op == CODE_LOAD_WIDE)
			t = loaded(p, instance);
		else if (insn->op == CODE_EVAL)
			t = evaluated(p, instance, &next);
		else if (insn->op == CODE_RETURN)
			next = maker_of(p->s, instance, insn->a);
		else if ((insn->op == CODE_CALL || insn->op == CODE_PHI) &&
		         source >= EXECUTION_FIRST && symbolic_keeps(p->s, source))
			next = source;
	}
	return t;
}

term symbolic_wide_member(struct symbolic *s, uint32_t instance)
{
	const struct code_eval *more = execution_insn(s->execution, instance)->more;
	LLVMValueRef i = execution_instruction(s->execution, instance);
	struct part p = {.s = s, .actual = execution_value(s->execution, instance)};
	uint32_t offset, bits, made;
	term t;

	if (LLVMGetInstructionOpcode(i) != LLVMExtractValue ||
	    !symbolic_member(i, LLVMTypeOf(LLVMGetOperand(i, 0)), &offset, &bits))
		return 0;
	p.offset = offset / 8;
	p.size = (bits + 7) / 8;
	made = maker_of(s, instance, more->in[0].operand);
	t = made ? find(&p, made) : 0;
	return t ? symbolic_fit(s->terms, t, bits) : 0;
}
