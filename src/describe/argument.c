/* Addresses of what has a name, and arguments of functions, as C. */
#include "describe/work.h"

/* --- addresses --- */

/* Is it an array that became a pointer to its first element? */
static bool is_decay(LLVMValueRef value)
{
	return LLVMIsAGetElementPtrInst(value) && LLVMGetNumOperands(value) == 3 &&
	       LLVMGetTypeKind(LLVMGetGEPSourceElementType(value)) == LLVMArrayTypeKind &&
	       describe_is_zero(LLVMGetOperand(value, 1)) &&
	       describe_is_zero(LLVMGetOperand(value, 2));
}

bool describe_place(const struct describe_scope *scope, LLVMValueRef value,
                    const struct ctype *pointer_type, struct str *out)
{
	const struct ctype *type = names_pointee(scope->names, scope->a, value);
	const struct ctype *target = ctype_strip(pointer_type);
	struct names_use use = {.whole = true};
	struct name name = {0};
	bool known;

	if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind || !type)
		return false;
	type = ctype_strip(type);
	target = target && target->kind == CTYPE_POINTER ? ctype_strip(target->target) : NULL;
	/* `&s` and `&s.first` are the same address: the type of the pointer tells. */
	use.size = target && target->size && target->size < type->size ? target->size : type->size;
	names_of_pointer(scope->names, scope->a, value, &use, &name);
	known = name.known;
	if (name.part.type)
		type = ctype_strip(name.part.type);
	if (known && type->kind != CTYPE_ARRAY && is_decay(value) && name.text.length > 3)
		str_printf(out, "%.*s", (int)name.text.length - 3, str_text(&name.text));
	else if (known)
		str_printf(out, type->kind == CTYPE_ARRAY ? "%s" : "&%s", str_text(&name.text));
	name_deinit(&name);
	return known;
}

bool describe_address(const struct describe_scope *scope, LLVMValueRef value,
                      const struct ctype *type, struct str *out)
{
	return !LLVMIsALoadInst(value) && describe_place(scope, value, type, out);
}

/* --- arguments --- */

/* Has the call that is described just written what the pointer points to? */
static bool is_written(const struct describe_scope *scope, struct memory *memory, uint64_t address)
{
	uint32_t source;

	memory_source_run(memory, address, 1, &source);
	return source == scope->a->call;
}

static bool is_literal(LLVMValueRef value)
{
	return LLVMIsAGlobalVariable(value) && LLVMGetLinkage(value) == LLVMPrivateLinkage;
}

static bool print_text(const struct describe_scope *scope, struct memory *memory,
                       LLVMValueRef value, struct str *out)
{
	const struct code_slot *slot = names_slot(scope->names, scope->a, value);
	uint64_t address = slot ? slot->bits : 0;
	const struct ctype *type;

	if (!address || slot->undefined || is_written(scope, memory, address))
		return false;
	type = is_literal(value) ? NULL : ctype_strip(names_pointee(scope->names, scope->a, value));
	if (type && type->kind == CTYPE_ARRAY)
		type = ctype_strip(type->target);
	if (!is_literal(value) && (!type || type->kind != CTYPE_CHAR))
		return false;
	return names_print_text(scope->names, address, 48, out);
}

void describe_argument(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	struct memory *memory = execution_memory(names_execution(scope->names));

	if (LLVMIsAFunction(value)) {
		size_t length;

		str_add(out, LLVMGetValueName2(value, &length));
		return;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind || describe_is_zero(value)) {
		describe_operand(scope, value, out);
		return;
	}
	if (print_text(scope, memory, value, out))
		return;
	if (!describe_address(scope, value, NULL, out))
		describe_expression(scope, value, out);
}
