/* Frames and private locals: see plan.h. */
#include "model/locals.h"

#include <string.h>

static bool is_static(LLVMValueRef instruction)
{
	return LLVMIsAAllocaInst(instruction) && LLVMIsAConstantInt(LLVMGetOperand(instruction, 0));
}

static uint64_t size_of(LLVMTargetDataRef layout, LLVMValueRef alloca_)
{
	uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(alloca_, 0));

	return count * LLVMABISizeOfType(layout, LLVMGetAllocatedType(alloca_));
}

/* A local whose uses are being looked at. */
struct uses {
	LLVMTargetDataRef layout;
	const struct plan_function *function;
	uint64_t size;
};

static bool is_inside(const struct uses *u, int64_t offset, uint64_t size)
{
	return offset >= 0 && (uint64_t)offset + size <= u->size;
}

/* The local that a pointer is derived from by constant steps; -1: none. */
static int local_of(LLVMTargetDataRef layout, const struct plan_function *function,
                    LLVMValueRef pointer, int64_t *offset)
{
	int64_t sum = 0, step;

	while (LLVMIsAGetElementPtrInst(pointer)) {
		if (!ir_constant_offset(layout, pointer, &step))
			return -1;
		sum += step;
		pointer = LLVMGetOperand(pointer, 0);
	}
	if (!LLVMIsAAllocaInst(pointer))
		return -1;
	*offset = sum;
	return locals_index(function, pointer);
}

/* May a private local be copied or set by this call, at `offset`? As the source it may. As the
   target it may when what it gets is known: bytes of a private local, or one value. */
static bool copy_is_private(const struct uses *u, LLVMValueRef call, LLVMValueRef pointer,
                            int64_t offset)
{
	const char *name = ir_intrinsic(call);
	LLVMValueRef size;
	int64_t from_offset;
	int from;

	if (!name || (strncmp(name, "memcpy.", 7) && strncmp(name, "memset.", 7)))
		return false;
	size = LLVMGetOperand(call, 2);
	if (!LLVMIsAConstantInt(size) || !is_inside(u, offset, LLVMConstIntGetZExtValue(size)))
		return false;
	if (name[3] == 's' || LLVMGetOperand(call, 0) != pointer)
		return true;
	from = local_of(u->layout, u->function, LLVMGetOperand(call, 1), &from_offset);
	return from >= 0 && u->function->locals.at[from].private_;
}

/* Is every use of `pointer`, which lies `offset` into the local, a load from it, a store to it, a
   copy of known bytes, or a constant step to another place inside the local? */
static bool uses_are_private(const struct uses *u, LLVMValueRef pointer, int64_t offset)
{
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		LLVMTypeRef type;
		int64_t step;

		if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer) {
			if (!ir_constant_offset(u->layout, user, &step) ||
			    !uses_are_private(u, user, offset + step))
				return false;
			continue;
		}
		if (LLVMIsACallInst(user)) {
			if (!copy_is_private(u, user, pointer, offset))
				return false;
			continue;
		}
		if (LLVMIsALoadInst(user))
			type = LLVMTypeOf(user);
		else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer)
			type = LLVMTypeOf(LLVMGetOperand(user, 0));
		else
			return false;
		if (!is_inside(u, offset, ir_store_size(u->layout, type)))
			return false;
	}
	return true;
}

/* Takes all locals for private and then drops those that are not, until none is dropped: whether a
   local is private may hang on another that it is copied from. */
static void find_private(LLVMTargetDataRef layout, struct plan_function *function)
{
	struct uses uses = {.layout = layout, .function = function};
	bool changed = true;

	for (uint32_t i = 0; i < function->locals.size; i++)
		function->locals.at[i].private_ = true;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < function->locals.size; i++) {
			struct plan_local *local = &function->locals.at[i];

			uses.size = local->size;
			if (local->private_ && !uses_are_private(&uses, local->alloca_, 0)) {
				local->private_ = false;
				changed = true;
			}
		}
	}
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
	}
	find_private(layout, function);
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
	return local_of(plan->layout, function, pointer, offset);
}
