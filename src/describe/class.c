/* isdigit() and its like: ctype.h makes them a look into a table, and people know only the names. */
#include <string.h>

#include "describe/work.h"

bool describe_is_hidden(LLVMValueRef call)
{
	LLVMValueRef callee = ir_callee(call);
	const char *name;
	size_t length;

	name = callee ? LLVMGetValueName2(callee, &length) : "";
	return !strcmp(name, "__ctype_b_loc") || !strcmp(name, "__errno_location");
}

/* Bits of glibc's table, as a little-endian machine sees them. */
static const char *class_name(uint64_t mask)
{
	static const char *const names[16] = {
		"isblank",  "iscntrl", "ispunct", "isalnum", NULL,      NULL,
		NULL,       NULL,      "isupper", "islower", "isalpha", "isdigit",
		"isxdigit", "isspace", "isprint", "isgraph",
	};

	for (unsigned i = 0; i < 16; i++)
		if (mask == 1u << i)
			return names[i];
	return NULL;
}

/* Does the pointer come out of __ctype_b_loc()? */
static bool is_table(LLVMValueRef pointer)
{
	LLVMValueRef call = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;

	return call && LLVMIsACallInst(call) && describe_is_hidden(call);
}

const char *describe_class(LLVMValueRef value, LLVMValueRef *character)
{
	LLVMValueRef load, element;
	const char *name;

	if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAnd ||
	    !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
		return NULL;
	load = describe_without_casts(LLVMGetOperand(value, 0));
	element = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
	if (!element || !LLVMIsAGetElementPtrInst(element) || LLVMGetNumOperands(element) != 2 ||
	    !is_table(LLVMGetOperand(element, 0)))
		return NULL;
	name = class_name(LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)));
	if (name)
		*character = LLVMGetOperand(element, 1);
	return name;
}
