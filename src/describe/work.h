/* Inside the description of statements: what its files share. */
#ifndef HENCE_DESCRIBE_WORK_H
#define HENCE_DESCRIBE_WORK_H

#include "describe/describe.h"

/* A statement that is being described. */
struct describer {
	struct describe_scope scope;
	struct execution *e;
	const struct code_insn *insn;
	LLVMValueRef instruction;
	bool inside; /* a call whose callee is about to begin */
	struct described *out;
};

static inline const struct code_slot *slot_of(const struct describer *d, LLVMValueRef value)
{
	return names_slot(d->scope.names, d->scope.a, value);
}

static inline uint64_t bits_of(const struct describer *d, LLVMValueRef value)
{
	const struct code_slot *slot = slot_of(d, value);

	return slot ? slot->bits : 0;
}

static inline bool is_pointer(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static inline bool describe_is_zero(LLVMValueRef value)
{
	return LLVMIsConstant(value) && LLVMIsNull(value);
}

/* What a value was before it was converted. */
LLVMValueRef describe_without_casts(LLVMValueRef value);

/* The C type of what is loaded; NULL: it is not a load, or not known. */
const struct ctype *describe_loaded_type(const struct describe_scope *scope, LLVMValueRef value);

/* Appends the bit-field that the value is; false: it is none, and nothing is appended. */
bool describe_field(const struct describe_scope *scope, LLVMValueRef value, struct str *out);

/* As describe_address(), also of what was loaded. */
bool describe_place(const struct describe_scope *scope, LLVMValueRef value,
                    const struct ctype *pointer_type, struct str *out);

/* Appends what lies at a place now. */
void describe_memory(const struct describer *d, const struct name *name, struct str *out);

/* Is it memory of the compiler's own, such as the place of the result? */
bool describe_is_internal(const struct describer *d, LLVMValueRef pointer);

/* Lists the loads that a value comes from; `address`: the value only says where something lies. A
   pointer that is loaded for that is part of the name of the place. `depth` is 0. */
void describe_collect(struct describer *d, LLVMValueRef value, bool address, int depth);

void describe_call(struct describer *d);

/* The name of a function as the source has it: glibc's scanf() has another inside, by the version of C. */
const char *describe_plain_name(const char *name);

#endif
