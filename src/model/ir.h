/*
 * LLVM's C API as we use it: one header for LLVM 19 and 22, and the questions about IR that the API
 * does not answer itself.
 */
#ifndef HENCE_MODEL_IR_H
#define HENCE_MODEL_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#if HENCE_LLVM != 19 && HENCE_LLVM != 22
#error "hence needs LLVM 19 or 22"
#endif

/* Value of case `i` (0 is the first case, the default is not one). */
static inline LLVMValueRef ir_case_value(LLVMValueRef switch_, unsigned i)
{
#if HENCE_LLVM >= 22
	return LLVMGetSwitchCaseValue(switch_, i + 1);
#else
	return LLVMGetOperand(switch_, 2 * i + 2);
#endif
}

/* How many cases, without the default. Successor 0 is the default, successor i + 1 is case i. */
static inline unsigned ir_case_count(LLVMValueRef switch_)
{
	return LLVMGetNumSuccessors(switch_) - 1;
}

/* Is there an enum attribute `name` on the function? */
bool ir_function_has(LLVMValueRef function, const char *name);

/* Is there an enum attribute `name` on the call or on the function it names? */
bool ir_call_has(LLVMValueRef call, const char *name);

/* Type of an attribute such as byval or elementtype at parameter `index`; NULL: not there. */
LLVMTypeRef ir_parameter_type(LLVMValueRef function, unsigned index, const char *name);
LLVMTypeRef ir_argument_type(LLVMValueRef call, unsigned index, const char *name);

/* The function that a call names directly, also through a type that differs; NULL: indirect. */
LLVMValueRef ir_callee(LLVMValueRef call);

/* Name of the intrinsic without 'llvm.' and overload types are left on: "memcpy.p0.p0.i64". NULL:
   not a call of an intrinsic. Valid as long as the module. */
const char *ir_intrinsic(LLVMValueRef call);

/* Is `call` a call of inline assembly? */
bool ir_is_asm(LLVMValueRef call);

/* Offset of a GEP all of whose indices are constant. False: not such a GEP. */
bool ir_constant_offset(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset);

/* Bytes that a store of this type writes. */
uint32_t ir_store_size(LLVMTargetDataRef layout, LLVMTypeRef type);

/* Letter of a type in a signature (struct hence_rt_site). */
char ir_type_letter(LLVMTypeRef type);

#endif
