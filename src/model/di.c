/* Debug information nodes: see di.h. */
#include "model/di.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a type's own operands begin: in LLVM 22 its size and offset come before. */
#if HENCE_LLVM >= 22
#define FIRST_OF_TYPE 5
#else
#define FIRST_OF_TYPE 3
#endif

struct di_list di_operands(LLVMContextRef context, LLVMMetadataRef node)
{
	struct di_list list = VEC_INIT;
	LLVMValueRef value, *operands;
	unsigned count;

	if (!node)
		return list;
	value = LLVMMetadataAsValue(context, node);
	count = LLVMGetMDNodeNumOperands(value);
	operands = mem_alloc((count + 1) * sizeof(*operands));
	LLVMGetMDNodeOperands(value, operands);
	for (unsigned i = 0; i < count; i++)
		*vec_push(&list) = operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
	free(operands);
	return list;
}

static LLVMMetadataRef operand(LLVMContextRef context, LLVMMetadataRef node, unsigned i)
{
	struct di_list list = di_operands(context, node);
	LLVMMetadataRef found = i < list.size ? list.at[i] : NULL;

	vec_deinit(&list);
	return found;
}

static const char *text_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned i,
                                size_t *length)
{
	LLVMMetadataRef found = operand(context, node, i);
	const char *text;
	unsigned size;

	if (!found || LLVMGetMetadataKind(found) != LLVMMDStringMetadataKind)
		return NULL;
	text = LLVMGetMDString(LLVMMetadataAsValue(context, found), &size);
	*length = size;
	return size ? text : NULL;
}

LLVMMetadataRef di_base_type(LLVMContextRef context, LLVMMetadataRef type)
{
	return operand(context, type, FIRST_OF_TYPE);
}

struct di_list di_elements(LLVMContextRef context, LLVMMetadataRef type)
{
	bool function = LLVMGetMetadataKind(type) == LLVMDISubroutineTypeMetadataKind;
	LLVMMetadataRef list = operand(context, type, FIRST_OF_TYPE + !function);

	return list && (LLVMGetMetadataKind(list) == LLVMMDTupleMetadataKind)
	               ? di_operands(context, list)
	               : (struct di_list)VEC_INIT;
}

const char *di_variable_name(LLVMContextRef context, LLVMMetadataRef variable, size_t *length)
{
	return text_operand(context, variable, 1, length);
}

LLVMMetadataRef di_variable_type(LLVMContextRef context, LLVMMetadataRef variable)
{
	return operand(context, variable, 3);
}

LLVMMetadataRef di_subprogram_type(LLVMContextRef context, LLVMMetadataRef subprogram)
{
	return operand(context, subprogram, 4);
}

const char *di_subprogram_name(LLVMContextRef context, LLVMMetadataRef subprogram, size_t *length)
{
	return text_operand(context, subprogram, 2, length);
}

const char *di_enumerator_name(LLVMContextRef context, LLVMMetadataRef node, size_t *length)
{
	return text_operand(context, node, 0, length);
}

LLVMMetadataRef di_parent_scope(LLVMContextRef context, LLVMMetadataRef scope)
{
	LLVMMetadataKind kind = LLVMGetMetadataKind(scope);

	return kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind
	               ? operand(context, scope, 1)
	               : NULL;
}

bool di_constant(LLVMContextRef context, LLVMMetadataRef node, int64_t *value)
{
	LLVMMetadataRef count = operand(context, node, 0);
	LLVMValueRef constant;

	if (!count || LLVMGetMetadataKind(count) != LLVMConstantAsMetadataMetadataKind)
		return false;
	LLVMGetMDNodeOperands(LLVMMetadataAsValue(context, count), &constant);
	if (!LLVMIsAConstantInt(constant))
		return false;
	*value = LLVMConstIntGetSExtValue(constant);
	return true;
}

char *di_text(LLVMContextRef context, LLVMMetadataRef node)
{
	return LLVMPrintValueToString(LLVMMetadataAsValue(context, node));
}

const char *di_field(const char *text, const char *field)
{
	size_t length = strlen(field);

	for (const char *at = text; (at = strstr(at, field)); at += length)
		if (at - text >= 2 && (at[-1] == '(' || !memcmp(at - 2, ", ", 2)) &&
		    !memcmp(at + length, ": ", 2))
			return at + length + 2;
	return NULL;
}

int64_t di_number(const char *text, const char *field)
{
	const char *number = di_field(text, field);

	if (!number)
		return 0;
	return *number == '-' ? strtoll(number, NULL, 10) : (int64_t)strtoull(number, NULL, 10);
}
