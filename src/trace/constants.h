/* Constants of LLVM as bytes, with the addresses that a module has in the program. */
#ifndef HENCE_TRACE_CONSTANTS_H
#define HENCE_TRACE_CONSTANTS_H

#include "trace/program.h"

/* Where the bytes of a constant go. */
struct constants_sink {
	void (*write)(void *context, uint64_t offset, const uint8_t *bytes, uint64_t size);
	void *context;
};

/* Gives the bytes of a constant; what is not given is 0. False: it holds something that we cannot
   evaluate. */
bool constants_write(const struct program_module *module, LLVMValueRef constant,
                     const struct constants_sink *sink);

/* The same into a buffer of the constant's store size, which is zeroed first. */
bool constants_read(const struct program_module *module, LLVMValueRef constant, uint8_t *out);

/* The global that a constant pointer was made from; NULL: none. */
LLVMValueRef constants_base(LLVMValueRef constant);

/* Address of a function, a global or an alias. False: not known. */
bool constants_address(const struct program_module *module, LLVMValueRef global, uint64_t *out);

#endif
