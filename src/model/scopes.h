/* The scopes of a module's functions, for variables.c. */
#ifndef HENCE_MODEL_SCOPES_H
#define HENCE_MODEL_SCOPES_H

#include "base/arena.h"
#include "base/map.h"
#include "model/variables.h"

MAP_DEFINE_U64(scope_map, struct variable_scope *);

struct scopes {
	LLVMContextRef context;
	struct arena arena;
	struct scope_map known; /* DISubprogram or DILexicalBlock -> scope */
};

void scopes_init(struct scopes *scopes, LLVMContextRef context);
void scopes_deinit(struct scopes *scopes);

/* The scope of a node, made when it is new; NULL: file scope, or not a scope of C. Valid until
   scopes_deinit(), like what follows. */
struct variable_scope *scopes_of(struct scopes *scopes, LLVMMetadataRef node);

/* The scope of a node if there is one already; NULL: there is none. */
const struct variable_scope *scopes_find(const struct scopes *scopes, LLVMMetadataRef node);

/* Finds the scopes that a function's instructions come from, and where they end. */
void scopes_measure(struct scopes *scopes, LLVMValueRef function);

#endif
