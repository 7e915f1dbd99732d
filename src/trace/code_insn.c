/* Translates instructions that compute, and those that end blocks: see code.h. */
#include <string.h>

#include "trace/coder.h"
#include "trace/constants.h"

void coder_unsupported(struct coder *c, struct code_insn *out, const char *what)
{
	out->op = CODE_UNSUPPORTED;
	out->more = arena_strdup(&c->code->arena, what);
}

/* --- operands --- */

static uint32_t constant_object(const struct coder *c, LLVMValueRef value)
{
	LLVMValueRef base = constants_base(value);
	uint64_t address;

	if (!base || !constants_address(c->module, base, &address))
		return 0;
	return objects_find(c->code->objects, address);
}

static uint32_t add_constant(struct coder *c, LLVMValueRef value)
{
	uint32_t words = eval_type_words(c->module->plan->layout, LLVMTypeOf(value));
	uint32_t index = c->constants.size;
	uint64_t *bytes;

	if (words == UINT32_MAX)
		words = 1;
	bytes = mem_alloc((words + 1) * sizeof(*bytes));
	if (ir_store_size(c->module->plan->layout, LLVMTypeOf(value)) > 8 * words ||
	    !constants_read(c->module, value, (uint8_t *)bytes))
		c->unreadable = true;
	for (uint32_t i = 0; i < words; i++)
		vec_push(&c->constants)->bits = bytes[i];
	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
		c->constants.at[index].object = constant_object(c, value);
	free(bytes);
	return index << 1 | 1;
}

uint32_t coder_operand(struct coder *c, LLVMValueRef value)
{
	uint32_t *found = operand_map_find(&c->operands, (uint64_t)value);

	if (found)
		return *found;
	if (!LLVMIsConstant(value) || LLVMIsAInlineAsm(value))
		return CODE_NO_OPERAND;
	return *operand_map_put(&c->operands, (uint64_t)value) = add_constant(c, value);
}

/* --- what is computed --- */

static bool is_simple(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind: return true;
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 64;
	default: return false;
	}
}

static uint8_t width(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		return (uint8_t)LLVMGetIntTypeWidth(type);
	return 64;
}

/* Anything that follows from its operands. */
void coder_eval(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	LLVMTargetDataRef layout = c->module->plan->layout;
	uint32_t count = (uint32_t)(LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i)
	                                               : (unsigned)LLVMGetNumOperands(i));
	struct code_eval *eval = arena_new(&c->code->arena, struct code_eval);
	const char *refused = eval_prepare(layout, i, &c->code->arena, &eval->eval);

	if (!refused && count > CODE_OPERANDS)
		refused = "an instruction with many operands";
	for (uint32_t k = 0; k < count && !refused; k++) {
		LLVMValueRef value = LLVMGetOperand(i, k);

		eval->in[k].words = eval_type_words(layout, LLVMTypeOf(value));
		eval->in[k].operand = coder_operand(c, value);
		if (eval->in[k].words > CODE_WORDS || eval->in[k].operand == CODE_NO_OPERAND)
			refused = "an instruction with a very large operand";
	}
	if (refused) {
		coder_unsupported(c, out, refused);
		return;
	}
	out->op = CODE_EVAL;
	out->more = eval;
	eval->count = count;
}

static enum code_op binary(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd: return CODE_ADD;
	case LLVMSub: return CODE_SUB;
	case LLVMMul: return CODE_MUL;
	case LLVMAnd: return CODE_AND;
	case LLVMOr: return CODE_OR;
	case LLVMXor: return CODE_XOR;
	default: return CODE_NOTHING;
	}
}

static enum code_op comparison(LLVMIntPredicate predicate)
{
	static const uint8_t ops[] = {CODE_EQ,  CODE_NE,  CODE_UGT, CODE_UGE, CODE_ULT,
	                              CODE_ULE, CODE_SGT, CODE_SGE, CODE_SLT, CODE_SLE};

	return ops[predicate - LLVMIntEQ];
}

static enum code_op conversion(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMTrunc: return CODE_TRUNC;
	case LLVMSExt: return CODE_SEXT;
	case LLVMZExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast: return CODE_MOVE;
	default: return CODE_NOTHING;
	}
}

/* Pointers have 64 bits: a conversion to fewer is a truncation, from fewer a move. */
static enum code_op sized(enum code_op op, uint8_t from, uint8_t to)
{
	return op == CODE_MOVE && to < from ? CODE_TRUNC : op;
}

static void put_computed(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	LLVMTypeRef type = LLVMTypeOf(i), from = LLVMTypeOf(LLVMGetOperand(i, 0));
	enum code_op op = opcode == LLVMICmp ? comparison(LLVMGetICmpPredicate(i)) : binary(opcode);

	if (op && is_simple(from)) {
		out->op = (uint8_t)op;
		out->b = coder_operand(c, LLVMGetOperand(i, 1));
	} else if (!op && conversion(opcode) && is_simple(from) && is_simple(type)) {
		out->op = (uint8_t)sized(conversion(opcode), width(from), width(type));
	} else {
		coder_eval(c, i, out);
		return;
	}
	out->bits = width(type);
	out->from = width(from);
	out->a = coder_operand(c, LLVMGetOperand(i, 0));
}

static void put_phi(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	uint32_t count = LLVMCountIncoming(i);
	struct code_phi *phi =
		arena_alloc(&c->code->arena, sizeof(*phi) + count * sizeof(phi->from[0]));

	out->op = CODE_PHI;
	out->more = phi;
	phi->count = count;
	for (uint32_t k = 0; k < count; k++) {
		LLVMBasicBlockRef block = LLVMGetIncomingBlock(i, k);

		phi->from[k].block = *operand_map_find(&c->blocks, (uint64_t)block);
		phi->from[k].operand = coder_operand(c, LLVMGetIncomingValue(i, k));
	}
}

/* --- the ends of blocks --- */

static void put_switch(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	struct code_switch *more = arena_new(&c->code->arena, struct code_switch);

	more->how = plan_switch(c->module->plan->layout, i);
	more->bits = width(LLVMTypeOf(LLVMGetOperand(i, 0)));
	out->op = CODE_SWITCH;
	out->bytes = more->how.size;
	out->a = coder_operand(c, LLVMGetOperand(i, 0));
	out->more = more;
}

static void put_branch(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	out->op = CODE_GOTO;
	if (!LLVMIsConditional(i))
		return;
	out->op = CODE_BRANCH;
	out->bytes = 1;
	out->a = coder_operand(c, LLVMGetCondition(i));
}

static void put_return(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	out->op = CODE_RETURN;
	out->a = CODE_NO_OPERAND;
	if (!LLVMGetNumOperands(i))
		return;
	out->a = coder_operand(c, LLVMGetOperand(i, 0));
	out->bytes = ir_store_size(c->module->plan->layout, LLVMTypeOf(LLVMGetOperand(i, 0)));
}

/* --- all --- */

static void put(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: coder_load(c, i, out); break;
	case LLVMStore: coder_store(c, i, out); break;
	case LLVMAlloca: coder_alloca(c, i, out); break;
	case LLVMGetElementPtr: coder_gep(c, i, out); break;
	case LLVMCall: coder_call(c, i, out); break;
	case LLVMPHI: put_phi(c, i, out); break;
	case LLVMBr: put_branch(c, i, out); break;
	case LLVMSwitch: put_switch(c, i, out); break;
	case LLVMIndirectBr:
		out->op = CODE_JUMP;
		out->bytes = 4;
		out->a = coder_operand(c, LLVMGetOperand(i, 0));
		break;
	case LLVMRet: put_return(c, i, out); break;
	case LLVMUnreachable: out->op = CODE_STOP; break;
	case LLVMFence: out->op = CODE_NOTHING; break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: coder_atomic(c, i, out); break;
	default: put_computed(c, i, out);
	}
}

void coder_insn(struct coder *c, LLVMValueRef i, struct code_insn *out)
{
	LLVMTargetDataRef layout = c->module->plan->layout;
	const struct plan_record *record;
	uint32_t words = 0;

	out->to = UINT32_MAX;
	if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) {
		words = eval_type_words(layout, LLVMTypeOf(i));
		out->to = *operand_map_find(&c->operands, (uint64_t)i) >> 1;
	}
	out->words = (uint8_t)words;
	c->unreadable = false;
	put(c, i, out);
	if (c->unreadable && out->op != CODE_UNSUPPORTED)
		coder_unsupported(c, out, "a constant that only the linker knows");
	if (words > CODE_WORDS) {
		out->words = 1;
		coder_unsupported(c, out, "a value of an unusual type");
	}
	if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind)
		out->flags |= CODE_POINTER;
	if (plan_ends_statement(i))
		out->flags |= CODE_STATEMENT;
	/* What the tape has of it, if the translation did not ask. */
	while ((record = coder_record(c, i)))
		if (!out->bytes && record->kind <= PLAN_MEMORY)
			out->bytes = record->size;
}
