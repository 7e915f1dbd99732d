/* Values that depend on the way that was taken: `a && b`, `a || b`, `c ? x : y`. */
#include "describe/describe.h"

/* The way that a phi of the block under way was reached; false: nobody knows any more. */
static bool find_way(const struct activation *a, LLVMValueRef phi, unsigned *way)
{
	const struct code_function *f = a->function;

	for (uint32_t i = f->blocks[a->block]; i < a->pc && f->insns[i].op == CODE_PHI; i++) {
		const struct code_phi *more = f->insns[i].more;

		for (uint32_t k = 0; f->instructions[i] == phi && k < more->count; k++)
			if (more->from[k].block == a->came) {
				*way = k;
				return true;
			}
	}
	return false;
}

/* The branch that ends the block and decides whether the phi is reached; NULL: there is none. */
static LLVMValueRef deciding_branch(LLVMValueRef phi, unsigned way)
{
	LLVMValueRef branch = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, way));

	return LLVMIsABranchInst(branch) && LLVMIsConditional(branch) ? branch : NULL;
}

/* Is it && or ||? Then each side but the last brings the same constant when it decides alone. */
static bool is_logic(LLVMValueRef phi)
{
	unsigned count = LLVMCountIncoming(phi);
	LLVMValueRef first = LLVMGetIncomingValue(phi, 0);

	if (count < 2 || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
	    LLVMGetIntTypeWidth(LLVMTypeOf(phi)) != 1 || !LLVMIsAConstantInt(first))
		return false;
	for (unsigned k = 0; k + 1 < count; k++)
		if (LLVMGetIncomingValue(phi, k) != first || !deciding_branch(phi, k))
			return false;
	return true;
}

/* Was the side evaluated before the next one? Of `(a || b) && c`, b need not have been. */
static bool was_evaluated(LLVMValueRef phi, unsigned side)
{
	LLVMValueRef branch = deciding_branch(phi, side);
	LLVMBasicBlockRef next = LLVMGetSuccessor(branch, 0);
	LLVMUseRef use;

	if (next == LLVMGetInstructionParent(phi))
		next = LLVMGetSuccessor(branch, 1);
	use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
	return use && !LLVMGetNextUse(use);
}

/* A side that is not the last. A negation that clang made of swapped targets is put back. */
static void add_side(const struct describe_scope *scope, LLVMValueRef phi, unsigned side,
                     bool either, struct str *out)
{
	LLVMValueRef branch = deciding_branch(phi, side);
	bool first = LLVMGetSuccessor(branch, 0) == LLVMGetInstructionParent(phi);

	if (first != either)
		str_add(out, "!(");
	describe_expression(scope, LLVMGetCondition(branch), out);
	if (first != either)
		str_add_char(out, ')');
}

/* The sides that come before, in the order of their blocks: that of the phi is none. When it is not
   certain which of them were evaluated, they are `...`. */
static void add_sides(const struct describe_scope *scope, LLVMValueRef phi, const char *sign,
                      bool either, struct str *out)
{
	unsigned last = LLVMCountIncoming(phi) - 1;
	LLVMBasicBlockRef block =
		LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(phi)));

	for (unsigned k = 0; k < last; k++)
		if (!was_evaluated(phi, k)) {
			str_printf(out, "...%s", sign);
			return;
		}
	for (; block; block = LLVMGetNextBasicBlock(block))
		for (unsigned k = 0; k < last; k++)
			if (LLVMGetIncomingBlock(phi, k) == block) {
				add_side(scope, phi, k, either, out);
				str_add(out, sign);
			}
}

bool describe_choice(const struct describe_scope *scope, LLVMValueRef phi, struct str *out)
{
	unsigned way, last = LLVMCountIncoming(phi) - 1;
	const char *sign;
	bool either;

	if (!is_logic(phi) || !find_way(scope->a, phi, &way))
		return false;
	either = LLVMConstIntGetZExtValue(LLVMGetIncomingValue(phi, 0)) != 0;
	sign = either ? " || " : " && ";
	if (way < last) {
		add_side(scope, phi, way, either, out);
		str_printf(out, "%s...", sign);
		return true;
	}
	add_sides(scope, phi, sign, either, out);
	if (LLVMIsAPHINode(LLVMGetIncomingValue(phi, last)))
		str_add(out, "...");
	else
		describe_expression(scope, LLVMGetIncomingValue(phi, last), out);
	return true;
}

LLVMValueRef describe_decider(const struct describe_scope *scope, LLVMValueRef phi)
{
	unsigned way;

	if (!find_way(scope->a, phi, &way))
		return NULL;
	if (is_logic(phi) && way + 1 < LLVMCountIncoming(phi))
		return LLVMGetCondition(deciding_branch(phi, way));
	return LLVMGetIncomingValue(phi, way);
}
