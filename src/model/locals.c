/* Frames and private locals: see plan.h. */
#include "model/locals.h"

#include <assert.h>

static bool is_static(LLVMValueRef instruction)
{
	return LLVMIsAAllocaInst(instruction) && LLVMIsAConstantInt(LLVMGetOperand(instruction, 0));
}

static uint64_t size_of(LLVMTargetDataRef layout, LLVMValueRef alloca_)
{
	uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(alloca_, 0));

	return count * LLVMABISizeOfType(layout, LLVMGetAllocatedType(alloca_));
}

/* Is every use of `pointer`, which lies `offset` into a local of `size` bytes, a load from it, a
   store to it, or a constant step to another place inside the local? */
static bool uses_are_private(LLVMTargetDataRef layout, LLVMValueRef pointer, int64_t offset,
                             uint64_t size)
{
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		LLVMTypeRef type;
		int64_t step;

		if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer) {
			if (!ir_constant_offset(layout, user, &step) ||
			    !uses_are_private(layout, user, offset + step, size))
				return false;
			continue;
		}
		if (LLVMIsALoadInst(user))
			type = LLVMTypeOf(user);
		else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer)
			type = LLVMTypeOf(LLVMGetOperand(user, 0));
		else
			return false;
		if (offset < 0 || (uint64_t)offset + ir_store_size(layout, type) > size)
			return false;
	}
	return true;
}

/* How close to the guard a stack protector wants a local of this type: arrays go highest. */
static unsigned exposure(LLVMTargetDataRef layout, LLVMTypeRef type)
{
	unsigned most = 0;

	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		return LLVMABISizeOfType(layout, type) >= 8 ? 2 : 1;
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return 0;
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
		unsigned field = exposure(layout, LLVMStructGetTypeAtIndex(type, i));

		most = field > most ? field : most;
	}
	return most;
}

static bool is_protected(LLVMValueRef function)
{
	return ir_function_has(function, "ssp") || ir_function_has(function, "sspstrong") ||
	       ir_function_has(function, "sspreq");
}

static void place(struct plan_function *function, struct plan_local *local)
{
	uint64_t align = LLVMGetAlignment(local->alloca_);

	if (align > function->frame_align)
		function->frame_align = (uint32_t)align;
	local->offset = (function->frame_size + align - 1) / align * align;
	function->frame_size = local->offset + local->size;
}

/* Gives the locals their places: the last one first, as clang -O0 has the first one highest. */
static void lay_out(LLVMTargetDataRef layout, struct plan_function *function)
{
	bool guarded = is_protected(function->function);

	function->frame_align = 8;
	for (unsigned e = 0; e <= 2; e++)
		for (uint32_t i = function->locals.size; i-- > 0;) {
			struct plan_local *local = &function->locals.at[i];
			LLVMTypeRef type = LLVMGetAllocatedType(local->alloca_);

			if (e == (guarded ? exposure(layout, type) : 0))
				place(function, local);
		}
	function->frame_size = (function->frame_size + 7) / 8 * 8;
	if (!function->frame_size)
		function->frame_size = 8;
}

void locals_find(LLVMTargetDataRef layout, struct plan_function *function)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function->function);
	LLVMValueRef i;

	for (i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
		struct plan_local *local;

		if (!is_static(i))
			continue;
		local = vec_push(&function->locals);
		local->alloca_ = i;
		local->size = size_of(layout, i);
		local->private_ = uses_are_private(layout, i, 0, local->size);
	}
	lay_out(layout, function);
}

int locals_index(const struct plan_function *function, LLVMValueRef alloca_)
{
	for (uint32_t i = 0; i < function->locals.size; i++)
		if (function->locals.at[i].alloca_ == alloca_)
			return (int)i;
	return -1;
}

int plan_local_of(const struct plan *plan, const struct plan_function *function,
                  LLVMValueRef pointer, int64_t *offset)
{
	int64_t sum = 0, step;

	while (LLVMIsAGetElementPtrInst(pointer)) {
		if (!ir_constant_offset(plan->layout, pointer, &step))
			return -1;
		sum += step;
		pointer = LLVMGetOperand(pointer, 0);
	}
	if (!LLVMIsAAllocaInst(pointer))
		return -1;
	*offset = sum;
	return locals_index(function, pointer);
}
