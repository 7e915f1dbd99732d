/*
 * Pointers that could have been others: with an index or arithmetic in them, or taken from a variable that is written in
 * several ways. The address of a variable that was only handed on has nothing in it that could be wrong.
 */
#include "causes/tree_work.h"

#define STEPS 64u /* instances that are followed */

struct chase {
	const struct tree_work *w;
	VEC(uint32_t) next;
	bool computed;
};

/* A text or function that was passed or stored is one of several that could have been. */
static bool is_choice(LLVMValueRef value)
{
	return LLVMIsAFunction(value) ||
	       (LLVMIsAGlobalVariable(value) && LLVMGetLinkage(value) == LLVMPrivateLinkage);
}

static void follow_operand(struct chase *c, uint32_t instance, uint32_t operand)
{
	const struct execution_segment *s = execution_segment(c->w->e, instance);
	const struct code_function *f = c->w->code->functions.at[c->w->frames[s->frame].function];
	uint64_t value;
	uint32_t made, maker;

	if (operand == CODE_NO_OPERAND || operand & 1 ||
	    !execution_operand(c->w->e, instance, operand, &value, &made) ||
	    !tree_keeps(c->w, made))
		return;
	maker = f->makers[operand >> 1];
	if (!(maker & CODE_PARAMETER) || made != c->w->frames[s->frame].call)
		*vec_push(&c->next) = made;
	else if (execution_insn(c->w->e, made)->op == CODE_CALL) /* it passed a constant */
		c->computed |= is_choice(LLVMGetOperand(execution_instruction(c->w->e, made),
		                                        maker & ~CODE_PARAMETER));
}

/* What a store or return handed on. */
static void follow_value(struct chase *c, uint32_t instance)
{
	LLVMValueRef instruction = execution_instruction(c->w->e, instance);

	if (LLVMGetNumOperands(instruction) > 0)
		c->computed |= is_choice(LLVMGetOperand(instruction, 0));
	follow_operand(c, instance, execution_insn(c->w->e, instance)->a);
}

/* Is the variable that a store writes written nowhere else, and here in any case? */
static bool writes_alone(const struct tree_work *w, uint32_t store)
{
	LLVMValueRef instruction = execution_instruction(w->e, store);
	LLVMValueRef variable = LLVMGetOperand(instruction, 1);
	const struct execution_segment *s = execution_segment(w->e, store);
	uint32_t writes = 0;

	if (!LLVMIsAAllocaInst(variable) || s->parent != w->frames[s->frame].call)
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		writes += LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable;
	}
	return writes == 1;
}

static void follow_load(struct chase *c, uint32_t instance, const struct code_insn *insn)
{
	uint32_t source = execution_source(c->w->e, instance);
	const struct code_insn *writer;

	if (source & EXECUTION_GROUP) {
		c->computed = true;
		return;
	}
	if (!tree_keeps(c->w, source)) {
		follow_operand(c, instance, insn->a);
		return;
	}
	writer = execution_insn(c->w->e, source);
	if (writer->op != CODE_STORE ||
	    (!tree_takes_parameter(c->w, source) && !writes_alone(c->w, source)))
		c->computed = true;
	else
		follow_value(c, source);
}

/* What outside code gave is fixed if it does not hang on what that was given: malloc(), but not strchr(). */
static void follow_call(struct chase *c, uint32_t instance)
{
	uint32_t source = execution_source(c->w->e, instance);
	const struct term_node *n;
	term value;

	if (!(source & EXECUTION_GROUP)) {
		if (tree_keeps(c->w, source))
			follow_value(c, source);
		return;
	}
	value = symbolic_value(c->w->symbolic, instance);
	n = value ? term_at(c->w->terms, value) : NULL;
	c->computed |=
		n && n->op == TERM_VARIABLE &&
		symbolic_define(c->w->symbolic, (uint32_t)n->value)->form == SYMBOLIC_RETURNED;
}

static bool has_variable(const struct code_insn *insn)
{
	const struct code_indices *indices = insn->more;

	if (insn->op == CODE_INDEX)
		return !(insn->b & 1);
	for (uint32_t i = 0; i < indices->count; i++)
		if (!(indices->at[i].operand & 1))
			return true;
	return false;
}

static void follow(struct chase *c, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(c->w->e, instance);

	switch (insn->op) {
	case CODE_LOCAL:
	case CODE_ALLOCA: break;
	case CODE_STEP:
	case CODE_MOVE: follow_operand(c, instance, insn->a); break;
	case CODE_INDEX:
	case CODE_INDICES:
		c->computed |= has_variable(insn);
		follow_operand(c, instance, insn->a);
		break;
	case CODE_LOAD: follow_load(c, instance, insn); break;
	case CODE_CALL: follow_call(c, instance); break;
	default: c->computed = true;
	}
}

bool tree_is_computed(const struct tree_work *w, uint32_t instance, uint32_t operand)
{
	struct chase c = {.w = w};

	follow_operand(&c, instance, operand);
	for (uint32_t i = 0; i < c.next.size && i < STEPS && !c.computed; i++)
		follow(&c, c.next.at[i]);
	vec_deinit(&c.next);
	return c.computed;
}

uint32_t tree_pointer_operand(const struct code_insn *insn)
{
	switch (insn->op) {
	case CODE_STORE:
	case CODE_STORE_WIDE: return insn->b;
	case CODE_CALL: return ((const struct code_call *)insn->more)->callee;
	default: return insn->a;
	}
}
