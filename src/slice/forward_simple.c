/*
 * The fast way through a forward slice: instances whose operands were made in the same segment, and
 * loads of what one instance stored.
 */
#include "slice/forward_walker.h"

static inline enum forward_answer near(const struct forward_walker *w,
                                       const struct forward_place *p, uint32_t instance,
                                       uint32_t operand)
{
	uint32_t maker;

	if (operand & 1)
		return FORWARD_NO;
	maker = p->function->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return FORWARD_NOT_SIMPLE;
	if (p->function->insns[maker].op == CODE_LOCAL)
		return FORWARD_NO;
	if (maker - p->code >= instance - p->first)
		return FORWARD_NOT_SIMPLE;
	return marks_has(w->m->want, p->first + (maker - p->code)) ? FORWARD_YES : FORWARD_NO;
}

static inline enum forward_answer either(const struct forward_walker *w,
                                         const struct forward_place *p, uint32_t instance,
                                         const struct code_insn *insn)
{
	enum forward_answer a = near(w, p, instance, insn->a), b = near(w, p, instance, insn->b);

	if (a == FORWARD_YES || b == FORWARD_YES)
		return FORWARD_YES;
	return a == FORWARD_NO && b == FORWARD_NO ? FORWARD_NO : FORWARD_NOT_SIMPLE;
}

static enum forward_answer one_of(const struct forward_walker *w, const struct forward_place *p,
                                  uint32_t instance, const struct code_eval *eval)
{
	enum forward_answer found = FORWARD_NO;

	for (uint32_t i = 0; found != FORWARD_YES && i < eval->count; i++) {
		enum forward_answer a = near(w, p, instance, eval->in[i].operand);

		found = a > found || a == FORWARD_YES ? a : found;
	}
	return found;
}

static inline enum forward_answer stored(const struct forward_walker *w, uint32_t instance)
{
	uint32_t source = w->sources[instance - w->first];

	if (source & EXECUTION_GROUP || source < EXECUTION_FIRST || forward_copies(w, source))
		return FORWARD_NOT_SIMPLE;
	return marks_has(w->m->want, source) ? FORWARD_YES : FORWARD_NO;
}

enum forward_answer forward_simple(const struct forward_walker *w, const struct forward_place *p,
                                   uint32_t instance, const struct code_insn *insn)
{
	enum forward_answer a;

	switch (insn->op) {
	case CODE_LOCAL:
	case CODE_GOTO: return FORWARD_NO;
	case CODE_EVAL: return one_of(w, p, instance, insn->more);
	case CODE_LOAD:
		a = near(w, p, instance, insn->a);
		return a == FORWARD_NO ? stored(w, instance) : a;
	case CODE_TRUNC:
	case CODE_SEXT:
	case CODE_MOVE:
	case CODE_STEP:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_RETURN: return near(w, p, instance, insn->a);
	case CODE_STORE:
	case CODE_INDEX: return either(w, p, instance, insn);
	default:
		return insn->op >= CODE_ADD && insn->op <= CODE_SLE ? either(w, p, instance, insn)
		                                                    : FORWARD_NOT_SIMPLE;
	}
}
