/* Where a module declares its local variables: the same for LLVM 19 and 22. */
#ifndef HENCE_MODEL_DECLARES_H
#define HENCE_MODEL_DECLARES_H

#include "model/ir.h"

struct declare {
	LLVMValueRef function;
	LLVMValueRef storage; /* alloca or parameter */
	LLVMMetadataRef variable, expression;
	LLVMMetadataRef location; /* DILocation; may be NULL */
};

struct declare_list {
	struct declare *at;
	uint32_t size, room;
};

/* Appends all declarations in the order of the code. The module is as before when this returns.
   Caller frees with vec_deinit(). */
void declares_find(LLVMModuleRef module, struct declare_list *out);

#endif
