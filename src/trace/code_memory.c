/* Translates instructions on memory: see code.h. */
#include "trace/coder.h"

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

void coder_load(struct coder *c, LLVMValueRef load, struct code_insn *out)
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

void coder_store(struct coder *c, LLVMValueRef store, struct code_insn *out)
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

void coder_alloca(struct coder *c, LLVMValueRef alloca_, struct code_insn *out)
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

void coder_atomic(struct coder *c, LLVMValueRef atomic, struct code_insn *out)
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

void coder_gep(struct coder *c, LLVMValueRef gep, struct code_insn *out)
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
