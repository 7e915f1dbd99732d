/*
 * Edits that give local variables another type: `double f` for `float f`, `long long sum` for `int sum`. Such an edit is in force at
 * all uses of the variables in their function, so it is a group of edits (struct edit.group): at each store to them, and at each
 * instruction whose value depends on them and has the type that it had before.
 *
 * The variable keeps its storage, which holds its value converted back to the old type; a second storage, its *shadow*, holds it
 * in the new type. What the function computes from the variable is computed again from the shadow, with the conversions that C
 * makes, up to where the old type is needed: a conversion, a comparison, an argument, a store.
 */
#ifndef HENCE_EDIT_DECLARED_H
#define HENCE_EDIT_DECLARED_H

#include "edit/edit.h"

/* Adds the edits of the functions that the wish is about. */
void edit_generate_declared(struct edit_module *module, const struct edit_wish *wish);

/* What build.c lends to compute values: a place in the code, and how to divide there. */
struct edit_declared_builder {
	LLVMBuilderRef b;
	LLVMBasicBlockRef here; /* the block that has what is executed just before */
	LLVMValueRef (*binary)(void *context, int opcode, LLVMValueRef a, LLVMValueRef b);
	void *context;
};

/* Once for the edits of a group, before any of them is built: makes the shadows. With `copy` a shadow begins as what is in the
   storage of its variable, even if nothing was stored there. */
void edit_declare(struct edit_module *module, struct edit_declared *declared, LLVMBuilderRef b,
                  bool copy);

/* The value that the edit has instead of what its instruction computes or, at a store, uses. */
LLVMValueRef edit_declared_value(struct edit_module *module, const struct edit *edit,
                                 const struct edit_declared_builder *builder);

#endif
