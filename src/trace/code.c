/* Functions in a form that is evaluated fast: see code.h. */
#include "trace/code.h"

#include <string.h>

#include "model/control.h"
#include "trace/constants.h"

MAP_DEFINE_U64(operand_map, uint32_t);

/* A function that is being translated. */
struct coder {
	struct code *code;
	const struct program_module *module;
	struct code_function *function;
	struct operand_map operands; /* of LLVM's values */
	struct operand_map blocks;   /* numbers of LLVM's blocks */
	VEC(struct code_slot) constants;
	bool unreadable; /* the last instruction has a constant that we cannot evaluate */
	const struct plan_record *record, *records_end; /* those that were not asked for yet */
};

/* ------ translates instructions on memory ------ */

/* Does the pointer lie `size` bytes inside a variable, whatever happens? */
static bool is_direct(const struct coder *c, LLVMValueRef pointer, uint32_t size)
{
	const struct plan *plan = c->module->plan;
	int64_t offset = 0, step;
	int local = plan_local_of(plan, c->function->plan, pointer, &offset);

	if (local >= 0)
		return offset >= 0 &&
		       (uint64_t)offset + size <= c->function->plan->locals.at[local].size;
	offset = 0;
	while (LLVMIsAGetElementPtrInst(pointer) ||
	       (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)) {
		if (!ir_constant_offset(plan->layout, pointer, &step))
			return false;
		offset += step;
		pointer = LLVMGetOperand(pointer, 0);
	}
	if (!LLVMIsAGlobalVariable(pointer) || LLVMIsDeclaration(pointer))
		return false;
	return offset >= 0 &&
	       (uint64_t)offset + size <=
	               LLVMABISizeOfType(plan->layout, LLVMGlobalGetValueType(pointer));
}

static bool is_pointer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static uint8_t on_tape(const struct plan_record *record, LLVMTypeRef type)
{
	if (!record)
		return CODE_TAPE_NOTHING;
	if (record->kind != PLAN_HALF)
		return CODE_TAPE_ALL;
	return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? CODE_TAPE_HIGH : CODE_TAPE_LOW;
}

/* The code generator drops a load without a record that is not from a private local. */
static bool is_dropped(const struct coder *c, LLVMValueRef load, const struct plan_record *record)
{
	int64_t offset;
	int local =
		plan_local_of(c->module->plan, c->function->plan, LLVMGetOperand(load, 0), &offset);

	return !record && !(local >= 0 && c->function->plan->locals.at[local].private_);
}

static const struct plan_record *coder_record(struct coder *c, LLVMValueRef instruction);
static uint32_t coder_operand(struct coder *c, LLVMValueRef value);

static void coder_load(struct coder *c, LLVMValueRef load, struct code_insn *out)
{
	const struct plan_record *record = coder_record(c, load);
	LLVMTypeRef type = LLVMTypeOf(load);

	out->bytes = ir_store_size(c->module->plan->layout, type);
	out->op = out->bytes <= 8 ? CODE_LOAD : CODE_LOAD_WIDE;
	out->bits = (uint8_t)(LLVMGetTypeKind(type) == LLVMIntegerTypeKind && out->bytes <= 8
	                              ? LLVMGetIntTypeWidth(type)
	                              : 8 * (out->bytes & 15));
	out->a = coder_operand(c, LLVMGetOperand(load, 0));
	out->tape = on_tape(record, type);
	if (is_direct(c, LLVMGetOperand(load, 0), out->bytes))
		out->flags |= CODE_DIRECT;
	if (LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
	    LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
		out->flags |= CODE_REAL;
	if (is_dropped(c, load, record))
		out->flags |= CODE_UNUSED;
}

static void coder_store(struct coder *c, LLVMValueRef store, struct code_insn *out)
{
	LLVMValueRef value = LLVMGetOperand(store, 0);

	out->bytes = ir_store_size(c->module->plan->layout, LLVMTypeOf(value));
	out->op = out->bytes <= 8 ? CODE_STORE : CODE_STORE_WIDE;
	out->a = coder_operand(c, value);
	out->b = coder_operand(c, LLVMGetOperand(store, 1));
	if (is_pointer(LLVMTypeOf(value)))
		out->flags |= CODE_POINTER;
	if (is_direct(c, LLVMGetOperand(store, 1), out->bytes))
		out->flags |= CODE_DIRECT;
}

static void coder_alloca(struct coder *c, LLVMValueRef alloca_, struct code_insn *out)
{
	const struct plan_function *plan = c->function->plan;
	const struct plan_record *record = coder_record(c, alloca_);
	int64_t offset;
	int local = plan_local_of(c->module->plan, plan, alloca_, &offset);

	if (!record && local >= 0) {
		out->op = CODE_LOCAL;
		out->imm = (int64_t)plan->locals.at[local].offset;
		out->b = UINT32_MAX;
		for (uint32_t i = 0; i < c->function->object_count; i++)
			if (c->function->objects[i] == (uint32_t)local)
				out->b = i;
		return;
	}
	out->op = CODE_ALLOCA;
	out->bytes = 8;
	out->a = coder_operand(c, LLVMGetOperand(alloca_, 0));
	out->imm =
		(int64_t)LLVMABISizeOfType(c->module->plan->layout, LLVMGetAllocatedType(alloca_));
}

static void coder_unsupported(struct coder *c, struct code_insn *out, const char *what);

static void coder_atomic(struct coder *c, LLVMValueRef atomic, struct code_insn *out)
{
	LLVMTargetDataRef layout = c->module->plan->layout;
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(atomic, 1));
	bool exchanges = LLVMIsAAtomicCmpXchgInst(atomic) != NULL;

	out->op = CODE_ATOMIC;
	out->a = coder_operand(c, LLVMGetOperand(atomic, 0));
	out->b = coder_operand(c, LLVMGetOperand(atomic, 1));
	out->c = exchanges ? coder_operand(c, LLVMGetOperand(atomic, 2)) : CODE_NO_OPERAND;
	out->imm = ir_store_size(layout, type);
	if (exchanges)
		out->from = (uint8_t)LLVMOffsetOfElement(layout, LLVMTypeOf(atomic), 1);
	else
		out->scale = (uint32_t)LLVMGetAtomicRMWBinOp(atomic);
	if (out->imm > 8)
		coder_unsupported(c, out, "an atomic operation on more than 8 bytes");
	else if (!exchanges && out->scale > LLVMAtomicRMWBinOpUMin)
		coder_unsupported(c, out, "an unusual atomic operation");
}

/* --- getelementptr --- */

/* The steps of a getelementptr: a constant part, and indices that are known only when it runs. */
struct steps {
	int64_t constant;
	uint32_t count;
	struct {
		LLVMValueRef index;
		int64_t scale;
	} at[16];
	bool refused;
};

static void add_step(struct steps *s, LLVMValueRef index, int64_t scale)
{
	if (LLVMIsAConstantInt(index)) {
		s->constant += LLVMConstIntGetSExtValue(index) * scale;
		return;
	}
	if (s->count == sizeof(s->at) / sizeof(*s->at) ||
	    LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind) {
		s->refused = true;
		return;
	}
	s->at[s->count].index = index;
	s->at[s->count++].scale = scale;
}

static void find_steps(const struct coder *c, LLVMValueRef gep, struct steps *s)
{
	LLVMTargetDataRef layout = c->module->plan->layout;
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

	add_step(s, LLVMGetOperand(gep, 1), (int64_t)LLVMABISizeOfType(layout, type));
	for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

			s->constant += (int64_t)LLVMOffsetOfElement(layout, type, field);
			type = LLVMStructGetTypeAtIndex(type, field);
		} else {
			type = LLVMGetElementType(type);
			add_step(s, index, (int64_t)LLVMABISizeOfType(layout, type));
		}
	}
}

static void put_indices(struct coder *c, const struct steps *s, struct code_insn *out)
{
	struct code_indices *more =
		arena_alloc(&c->code->arena, sizeof(*more) + s->count * sizeof(more->at[0]));

	out->op = CODE_INDICES;
	out->more = more;
	more->count = s->count;
	for (uint32_t i = 0; i < s->count; i++) {
		more->at[i].operand = coder_operand(c, s->at[i].index);
		more->at[i].bits = LLVMGetIntTypeWidth(LLVMTypeOf(s->at[i].index));
		more->at[i].scale = s->at[i].scale;
	}
}

static bool is_gep(LLVMValueRef value)
{
	return LLVMIsAGetElementPtrInst(value) ||
	       (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

uint64_t code_member_elements(LLVMValueRef gep)
{
	LLVMValueRef base, number;
	LLVMTypeRef array, structure;
	uint64_t index;

	if (!is_gep(gep) || LLVMGetNumOperands(gep) != 3)
		return 0;
	array = LLVMGetGEPSourceElementType(gep);
	base = LLVMGetOperand(gep, 0);
	if (LLVMGetTypeKind(array) != LLVMArrayTypeKind || LLVMGetArrayLength2(array) < 2 ||
	    !is_gep(base) || LLVMGetNumOperands(base) != 3)
		return 0;
	structure = LLVMGetGEPSourceElementType(base);
	number = LLVMGetOperand(base, 2);
	if (LLVMGetTypeKind(structure) != LLVMStructTypeKind || !LLVMIsAConstantInt(number))
		return 0;
	index = LLVMConstIntGetZExtValue(number);
	if (index + 1 >= LLVMCountStructElementTypes(structure) ||
	    LLVMStructGetTypeAtIndex(structure, (unsigned)index) != array)
		return 0;
	return LLVMGetArrayLength2(array);
}

/* Is the address only loaded from and stored to? Where one past the end is only pointed to, nothing is wrong. */
static bool is_only_accessed(LLVMValueRef gep)
{
	for (LLVMUseRef use = LLVMGetFirstUse(gep); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!LLVMIsALoadInst(user) &&
		    !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != gep))
			return false;
	}
	return true;
}

static void coder_gep(struct coder *c, LLVMValueRef gep, struct code_insn *out)
{
	struct steps s = {0};
	uint64_t elements;

	if (!is_pointer(LLVMTypeOf(gep)) || !is_pointer(LLVMTypeOf(LLVMGetOperand(gep, 0)))) {
		coder_unsupported(c, out, "getelementptr of vectors");
		return;
	}
	find_steps(c, gep, &s);
	out->a = coder_operand(c, LLVMGetOperand(gep, 0));
	out->imm = s.constant;
	out->op = CODE_STEP;
	if (s.refused || (s.count && LLVMGetIntTypeWidth(LLVMTypeOf(s.at[0].index)) > 64)) {
		coder_unsupported(c, out, "getelementptr with many or wide indices");
	} else if (s.count == 1 && s.at[0].scale >= 0 && s.at[0].scale <= UINT32_MAX) {
		out->op = CODE_INDEX;
		out->b = coder_operand(c, s.at[0].index);
		out->from = (uint8_t)LLVMGetIntTypeWidth(LLVMTypeOf(s.at[0].index));
		out->scale = (uint32_t)s.at[0].scale;
		elements = code_member_elements(gep);
		if (elements && elements <= UINT32_MAX && !s.constant && is_only_accessed(gep)) {
			out->flags |= CODE_MEMBER;
			out->c = (uint32_t)elements;
		}
	} else if (s.count) {
		put_indices(c, &s, out);
	}
}

/* ------ translates instructions that compute, and those that end blocks ------ */

/* Marks an instruction as one that we cannot evaluate. */
static void coder_unsupported(struct coder *c, struct code_insn *out, const char *what)
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

/* The operand that a value is. */
static uint32_t coder_operand(struct coder *c, LLVMValueRef value)
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
static void coder_eval(struct coder *c, LLVMValueRef i, struct code_insn *out)
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

static void coder_call(struct coder *c, LLVMValueRef call, struct code_insn *out);

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

/* Translates one instruction. */
static void coder_insn(struct coder *c, LLVMValueRef i, struct code_insn *out)
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

/* ------ translates calls: of functions, intrinsics and inline assembly ------ */

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* memcpy, memmove and memset name their operands in the same order. */
static void put_block(struct coder *c, LLVMValueRef call, enum code_op op, struct code_insn *out)
{
	out->op = (uint8_t)op;
	out->a = coder_operand(c, LLVMGetOperand(call, 0));
	out->b = coder_operand(c, LLVMGetOperand(call, 1));
	out->c = coder_operand(c, LLVMGetOperand(call, 2));
}

static void put_recorded(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	const struct plan_record *record = coder_record(c, call);

	if (record && begins(ir_intrinsic(call), "threadlocal.address"))
		out->more = LLVMGetOperand(call, 0);
	out->op = record ? CODE_RECORDED : CODE_NOTHING;
	out->bytes = record ? record->size : 0;
}

/* An intrinsic without a value that changes nothing we know of. */
static bool is_silent(const char *name)
{
	static const char *const names[] = {
		"lifetime.",
		"stackrestore",
		"va_end",
		"prefetch",
		"assume",
		"invariant.",
		"trap",
		"debugtrap",
		"ubsantrap",
		"donothing",
		"experimental.noalias",
		"clear_cache",
		"pseudoprobe",
		"eh.",
		"annotation",
		"var.annotation",
		"codeview",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (begins(name, names[i]))
			return true;
	return false;
}

static void put_intrinsic(struct coder *c, LLVMValueRef call, const char *name,
                          struct code_insn *out)
{
	bool is_void = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;

	if (begins(name, "memcpy.") || begins(name, "memmove."))
		put_block(c, call, CODE_COPY, out);
	else if (begins(name, "memset."))
		put_block(c, call, CODE_FILL, out);
	else if (begins(name, "va_start")) {
		out->op = CODE_VA_START;
		out->a = coder_operand(c, LLVMGetOperand(call, 0));
		out->bytes = coder_record(c, call)->size;
	} else if (begins(name, "va_copy")) {
		out->op = CODE_VA_COPY;
		out->a = coder_operand(c, LLVMGetOperand(call, 0));
		out->b = coder_operand(c, LLVMGetOperand(call, 1));
	} else if (c->record != c->records_end && c->record->instruction == call)
		put_recorded(c, call, out);
	else if (!is_void)
		coder_eval(c, call, out);
	else if (is_silent(name))
		out->op = CODE_NOTHING;
	else
		coder_unsupported(c, out, name);
}

static void put_asm(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	unsigned arguments = LLVMGetNumArgOperands(call);
	struct code_asm *more =
		arena_alloc(&c->code->arena, sizeof(*more) + arguments * sizeof(more->memory[0]));
	uint32_t *operands = arena_new_array(&c->code->arena, uint32_t, arguments + 1);
	const struct plan_record *record;

	for (unsigned i = 0; i < arguments; i++)
		operands[i] = coder_operand(c, LLVMGetOperand(call, i));
	more->operand_count = arguments;
	more->operands = operands;
	out->op = CODE_ASM;
	out->more = more;
	while ((record = coder_record(c, call))) {
		if (record->kind == PLAN_VALUE) {
			out->bytes = record->size;
			continue;
		}
		more->memory[more->count].operand =
			coder_operand(c, LLVMGetOperand(call, record->target));
		more->memory[more->count++].bytes = record->size;
	}
}

static void put_argument(struct coder *c, LLVMValueRef call, unsigned index,
                         struct code_argument *out)
{
	LLVMTargetDataRef layout = c->module->plan->layout;
	LLVMValueRef value = LLVMGetOperand(call, index);
	LLVMTypeRef byval = ir_argument_type(call, index, "byval");

	out->operand = coder_operand(c, value);
	out->words = eval_type_words(layout, LLVMTypeOf(value));
	out->bytes = ir_store_size(layout, LLVMTypeOf(value));
	out->byval = byval ? ir_store_size(layout, byval) : 0;
	out->letter = ir_type_letter(LLVMTypeOf(value));
}

static void put_call(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	uint32_t count = LLVMGetNumArgOperands(call);
	struct code_call *more =
		arena_alloc(&c->code->arena, sizeof(*more) + count * sizeof(more->arguments[0]));
	LLVMValueRef callee = ir_callee(call);
	size_t length;

	out->op = CODE_CALL;
	out->more = more;
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		out->bytes = ir_store_size(c->module->plan->layout, LLVMTypeOf(call));
	more->letter = ir_type_letter(LLVMTypeOf(call));
	more->record = coder_record(c, call);
	more->name = callee ? LLVMGetValueName2(callee, &length) : NULL;
	more->callee = callee ? CODE_NO_OPERAND : coder_operand(c, LLVMGetCalledValue(call));
	more->count = count;
	for (uint32_t i = 0; i < count; i++)
		put_argument(c, call, i, &more->arguments[i]);
}

static void coder_call(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	const char *intrinsic = ir_intrinsic(call);

	if (intrinsic)
		put_intrinsic(c, call, intrinsic, out);
	else if (ir_is_asm(call))
		put_asm(c, call, out);
	else
		put_call(c, call, out);
}

/* ------ the whole ------ */

struct code *code_create(const struct program *program, struct objects *objects)
{
	struct code *code = mem_alloc(sizeof(*code));

	code->users = 1;
	code->program = program;
	code->objects = objects;
	return code;
}

void code_release(struct code *code)
{
	if (--code->users)
		return;
	for (uint32_t i = 0; i < code->functions.size; i++)
		free(code->functions.at[i]->postdominators);
	vec_deinit(&code->functions);
	code_map_deinit(&code->map);
	arena_deinit(&code->arena);
	free(code);
}

static bool is_debug(LLVMValueRef instruction)
{
	const char *intrinsic = ir_intrinsic(instruction);

	return intrinsic && !strncmp(intrinsic, "dbg.", 4);
}

/* --- slots --- */

static uint32_t take_slots(struct coder *c, LLVMValueRef value)
{
	uint32_t words = eval_type_words(c->module->plan->layout, LLVMTypeOf(value));
	uint32_t slot = c->function->slots;

	if (words == UINT32_MAX)
		words = 1;
	c->function->slots += words;
	*operand_map_put(&c->operands, (uint64_t)value) = slot << 1;
	return slot;
}

static bool has_value(LLVMValueRef instruction)
{
	return LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
}

static void list_parameters(struct coder *c)
{
	struct code_function *f = c->function;
	LLVMTargetDataRef layout = c->module->plan->layout;
	LLVMValueRef function = f->plan->function;

	f->parameter_count = LLVMCountParams(function);
	f->parameters =
		arena_new_array(&c->code->arena, struct code_parameter, f->parameter_count + 1);
	for (uint32_t i = 0; i < f->parameter_count; i++) {
		LLVMValueRef value = LLVMGetParam(function, i);
		LLVMTypeRef byval = ir_parameter_type(function, i, "byval");
		struct code_parameter *p = &f->parameters[i];

		p->bytes = ir_store_size(layout, LLVMTypeOf(value));
		p->words = eval_type_words(layout, LLVMTypeOf(value));
		p->byval = byval ? ir_store_size(layout, byval) : 0;
		p->letter = ir_type_letter(LLVMTypeOf(value));
		p->slot = take_slots(c, value);
	}
}

/* Numbers instructions and blocks, and gives each result its slots. */
static void number(struct coder *c)
{
	struct code_function *f = c->function;
	const struct plan_function *plan = f->plan;
	LLVMValueRef i;

	f->blocks = arena_new_array(&c->code->arena, uint32_t, plan->blocks.size + 1);
	for (uint32_t b = 0; b < plan->blocks.size; b++) {
		f->blocks[b] = f->size;
		*operand_map_put(&c->blocks, (uint64_t)plan->blocks.at[b].block) = b;
		for (i = LLVMGetFirstInstruction(plan->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i)) {
			if (is_debug(i))
				continue;
			f->size++;
			if (has_value(i))
				take_slots(c, i);
		}
	}
	f->blocks[plan->blocks.size] = f->size;
}

static void list_objects(struct coder *c)
{
	struct code_function *f = c->function;

	f->objects = arena_new_array(&c->code->arena, uint32_t, f->plan->locals.size + 1);
	for (uint32_t i = 0; i < f->plan->locals.size; i++)
		if (!f->plan->locals.at[i].private_)
			f->objects[f->object_count++] = i;
}

static void translate(struct coder *c)
{
	struct code_function *f = c->function;
	uint32_t n = 0;
	LLVMValueRef i;

	f->insns = arena_new_array(&c->code->arena, struct code_insn, f->size);
	f->instructions = arena_new_array(&c->code->arena, LLVMValueRef, f->size);
	c->record = f->plan->records.at;
	c->records_end = c->record + f->plan->records.size;
	for (uint32_t b = 0; b < f->plan->blocks.size; b++)
		for (i = LLVMGetFirstInstruction(f->plan->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i)) {
			if (is_debug(i))
				continue;
			f->instructions[n] = i;
			coder_insn(c, i, &f->insns[n]);
			n++;
		}
}

static void mark_statements(struct code_function *f)
{
	for (uint32_t b = 0; b < f->plan->blocks.size; b++) {
		const struct plan_block *block = &f->plan->blocks.at[b];
		const struct plan_statement *first =
			f->plan->statements.at + block->first_statement;

		for (uint32_t s = 0; s < block->statements; s++)
			f->insns[f->blocks[b] + first[s].instruction_number].flags |= CODE_BEGINS;
	}
}

/* Records are listed in the order of instructions; assembly may have several. */
static const struct plan_record *coder_record(struct coder *c, LLVMValueRef instruction)
{
	const struct plan_record *found;

	if (c->record == c->records_end || c->record->instruction != instruction)
		return NULL;
	found = c->record++;
	return found;
}

static void list_makers(struct coder *c)
{
	struct code_function *f = c->function;

	f->makers = arena_new_array(&c->code->arena, uint32_t, f->slots + 1);
	for (uint32_t i = 0; i < f->parameter_count; i++)
		f->makers[f->parameters[i].slot] = CODE_PARAMETER | i;
	for (uint32_t i = 0; i < f->size; i++)
		if (f->insns[i].words)
			f->makers[f->insns[i].to] = i;
}

static void keep_constants(struct coder *c)
{
	struct code_function *f = c->function;

	f->constants = arena_new_array(&c->code->arena, struct code_slot, c->constants.size + 1);
	if (c->constants.size)
		memcpy(f->constants, c->constants.at, c->constants.size * sizeof(*f->constants));
}

static struct code_function *make(struct code *code, struct program_place place)
{
	struct code_function *f = arena_new(&code->arena, struct code_function);
	struct coder c = {
		.code = code, .module = &code->program->modules.at[place.module], .function = f};

	f->place = place;
	f->plan = program_function(code->program, place);
	f->first = code->size;
	list_parameters(&c);
	number(&c);
	list_objects(&c);
	translate(&c);
	mark_statements(f);
	keep_constants(&c);
	list_makers(&c);
	f->postdominators = control_postdominators(f->plan);
	code->size += f->size;
	*vec_push(&code->functions) = f;
	vec_deinit(&c.constants);
	operand_map_deinit(&c.operands);
	operand_map_deinit(&c.blocks);
	return f;
}

const struct code_function *code_function(struct code *code, struct program_place place)
{
	uint64_t key = (uint64_t)place.module << 32 | place.function;
	struct code_function **found = code_map_put(&code->map, key);

	if (!*found) {
		place.block = 0;
		*found = make(code, place);
	}
	return *found;
}

const struct code_function *code_of(const struct code *code, uint32_t number_)
{
	uint32_t low = 0, high = code->functions.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (code->functions.at[middle]->first <= number_)
			low = middle;
		else
			high = middle;
	}
	return code->functions.at[low];
}

uint32_t code_block(const struct code_function *f, uint32_t pc)
{
	uint32_t low = 0, high = f->plan->blocks.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->blocks[middle] <= pc)
			low = middle;
		else
			high = middle;
	}
	return low;
}
