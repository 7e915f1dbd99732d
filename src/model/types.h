/* The C types of a module, from its debug information (LLVM's metadata). */
#ifndef HENCE_MODEL_TYPES_H
#define HENCE_MODEL_TYPES_H

#include "model/ctype.h"
#include "model/ir.h"

struct types;

/* Each type is read when it is first needed. The module must outlive the types; a module without
   debug information has none. Caller frees with types_destroy(). */
struct types *types_create(LLVMModuleRef module);
void types_destroy(struct types *types);

/* The module that they are read from. */
LLVMModuleRef types_module(const struct types *types);

/* The type that a DIType node describes; NULL is void. Never NULL: what cannot be read is
   CTYPE_UNKNOWN. Valid until types_destroy(), and the same for the same node. */
const struct ctype *types_of(struct types *types, LLVMMetadataRef node);

/* The type of a function; NULL: it has no debug information. Valid until types_destroy(). */
const struct ctype *types_of_function(struct types *types, LLVMValueRef function);

#endif
