/*
 * What a heap block was allocated as: `struct node *n = malloc(...)`. The call's result is stored
 * somewhere whose type is known, or returned to a caller that does so (xmalloc()). Only the code is
 * looked at: what is computed after the call has no value yet.
 */
#include "state/graph.h"

#define DEEPEST 16u /* loads and steps */
#define CALLERS 6u  /* that a block is handed to */

struct finder {
	struct names *names;
	uint32_t module;
	const struct plan *plan;
};

static const struct ctype *pointee(const struct finder *f, LLVMValueRef pointer, unsigned depth);

/* The type of a part with so many bytes. */
static const struct ctype *part_of(const struct ctype *type, uint64_t offset, uint64_t size)
{
	struct ctype_part part;

	return ctype_part(type, offset, size, CTYPE_WHOLE, &part, NULL) ? part.type : NULL;
}

static const struct ctype *after_gep(const struct finder *f, LLVMValueRef gep, unsigned depth)
{
	const struct ctype *type = pointee(f, LLVMGetOperand(gep, 0), depth + 1);
	LLVMTypeRef at = LLVMGetGEPSourceElementType(gep);
	int count = LLVMGetNumOperands(gep);

	for (int i = 2; type && i < count; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		if (LLVMGetTypeKind(at) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
			uint64_t offset = LLVMOffsetOfElement(f->plan->layout, at, field);

			at = LLVMStructGetTypeAtIndex(at, field);
			type = part_of(type, offset, LLVMABISizeOfType(f->plan->layout, at));
		} else {
			at = LLVMGetElementType(at);
			type = ctype_strip(type);
			type = type && type->kind == CTYPE_ARRAY ? type->target : NULL;
		}
	}
	return type;
}

/* The type of what a pointer points to, from the code alone. */
static const struct ctype *pointee(const struct finder *f, LLVMValueRef pointer, unsigned depth)
{
	const struct variables *variables = names_variables(f->names, f->module);
	const struct variable *variable = variables_of_alloca(variables, pointer);
	const struct ctype *type;

	if (variable)
		return variable->indirect || variable->also ? NULL : variable->type;
	if (depth > DEEPEST)
		return NULL;
	if (LLVMIsALoadInst(pointer)) {
		type = ctype_strip(pointee(f, LLVMGetOperand(pointer, 0), depth + 1));
		return type && type->kind == CTYPE_POINTER ? type->target : NULL;
	}
	return LLVMIsAGetElementPtrInst(pointer) ? after_gep(f, pointer, depth) : NULL;
}

/* What a pointer of this type points to; NULL: it may be anything. */
static const struct ctype *target_of(const struct ctype *pointer)
{
	const struct ctype *plain = ctype_strip(pointer), *target;

	if (!plain || plain->kind != CTYPE_POINTER)
		return NULL;
	target = ctype_strip(plain->target);
	return target && target->size && target->kind != CTYPE_VOID && target->kind != CTYPE_UNKNOWN
	               ? plain->target
	               : NULL;
}

/* What the result of a call is kept as a pointer to. */
static const struct ctype *kept_as(const struct finder *f, LLVMValueRef call)
{
	for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		const struct ctype *type = NULL;

		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call)
			type = target_of(pointee(f, LLVMGetOperand(user, 1), 0));
		if (type)
			return type;
	}
	return NULL;
}

/* A function under way keeps the result of a call, which it stands at. False: neither does it, nor can its caller. */
static bool look(struct names *names, const struct code_function *function, LLVMValueRef call,
                 const struct ctype **out)
{
	const struct program *program = walk_program(execution_walk(names_execution(names)));
	struct finder f = {names, function->place.module, NULL};
	LLVMTypeRef type = LLVMGlobalGetValueType(function->plan->function);

	f.plan = program->modules.at[f.module].plan;
	*out = LLVMIsACallInst(call) ? kept_as(&f, call) : NULL;
	/* Chars may be anything, but are not what a function that keeps them returns. */
	if (*out)
		*out = ctype_strip(*out)->kind == CTYPE_CHAR ? NULL : *out;
	else
		return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMPointerTypeKind;
	return false;
}

const struct ctype *birth_type(struct names *names)
{
	struct execution *e = names_execution(names);
	const struct ctype *type = NULL;
	const struct activation *a;

	for (uint32_t depth = 0; depth < CALLERS && (a = execution_top(e, depth)) && a->pc; depth++)
		if (!look(names, a->function, a->function->instructions[a->pc - 1], &type) ||
		    a->entered)
			break;
	return type;
}

const struct ctype *birth_type_of(struct names *names, const struct execution *whole, uint32_t call)
{
	const struct ctype *type = NULL;
	uint32_t count;
	const struct execution_frame *frames = execution_frames(whole, &count);

	for (uint32_t depth = 0; depth < CALLERS && call >= EXECUTION_FIRST; depth++) {
		const struct execution_frame *frame =
			&frames[execution_segment(whole, call)->frame];
		const struct code_function *function =
			code_of(execution_code_table((struct execution *)whole),
		                execution_code(whole, call));

		if (!look(names, function, execution_instruction(whole, call), &type))
			break;
		call = frame->call;
	}
	return type;
}
