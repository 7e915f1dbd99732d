/* Questions about IR that LLVM's C API does not answer itself: see ir.h. */
#include "model/ir.h"

#include <string.h>

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

bool ir_function_has(LLVMValueRef function, const char *name)
{
	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                                   kind_of(name)) != NULL;
}

bool ir_call_has(LLVMValueRef call, const char *name)
{
	LLVMValueRef callee = ir_callee(call);

	if (LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                                 kind_of(name)))
		return true;
	return callee && ir_function_has(callee, name);
}

static LLVMTypeRef attribute_type(LLVMAttributeRef attribute)
{
	return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

LLVMTypeRef ir_parameter_type(LLVMValueRef function, unsigned index, const char *name)
{
	return attribute_type(LLVMGetEnumAttributeAtIndex(function, index + 1, kind_of(name)));
}

LLVMTypeRef ir_argument_type(LLVMValueRef call, unsigned index, const char *name)
{
	return attribute_type(LLVMGetCallSiteEnumAttribute(call, index + 1, kind_of(name)));
}

LLVMValueRef ir_callee(LLVMValueRef call)
{
	return LLVMIsAFunction(LLVMGetCalledValue(call));
}

const char *ir_intrinsic(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMIsACallInst(call) ? ir_callee(call) : NULL;
	size_t length;

	if (!callee || !LLVMGetIntrinsicID(callee))
		return NULL;
	return LLVMGetValueName2(callee, &length) + strlen("llvm.");
}

bool ir_is_asm(LLVMValueRef call)
{
	return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL;
}

/* One index of a GEP: adds its offset and steps into *type. */
static bool step(LLVMTargetDataRef layout, LLVMValueRef index, LLVMTypeRef *type, int64_t *offset)
{
	int64_t n;

	if (!LLVMIsAConstantInt(index))
		return false;
	n = LLVMConstIntGetSExtValue(index);
	if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
		*offset += (int64_t)LLVMOffsetOfElement(layout, *type, (unsigned)n);
		*type = LLVMStructGetTypeAtIndex(*type, (unsigned)n);
		return true;
	}
	*type = LLVMGetElementType(*type);
	*offset += n * (int64_t)LLVMABISizeOfType(layout, *type);
	return true;
}

bool ir_constant_offset(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	LLVMValueRef first = LLVMGetOperand(gep, 1);
	int64_t sum;

	if (!LLVMIsAConstantInt(first))
		return false;
	sum = LLVMConstIntGetSExtValue(first) * (int64_t)LLVMABISizeOfType(layout, type);
	for (int i = 2; i < LLVMGetNumOperands(gep); i++)
		if (!step(layout, LLVMGetOperand(gep, (unsigned)i), &type, &sum))
			return false;
	*offset = sum;
	return true;
}

uint32_t ir_store_size(LLVMTargetDataRef layout, LLVMTypeRef type)
{
	return (uint32_t)LLVMStoreSizeOfType(layout, type);
}

char ir_type_letter(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind: return 'v';
	case LLVMIntegerTypeKind: {
		unsigned width = LLVMGetIntTypeWidth(type);

		return width <= 8    ? 'b'
		       : width <= 16 ? 's'
		       : width <= 32 ? 'i'
		       : width <= 64 ? 'l'
		                     : 'q';
	}
	case LLVMPointerTypeKind: return 'p';
	case LLVMFloatTypeKind: return 'f';
	case LLVMDoubleTypeKind: return 'd';
	case LLVMX86_FP80TypeKind: return 'e';
	default: return 'S';
	}
}
