/*
 * The variables of a module, from its debug information: what the programmer calls an alloca, a
 * parameter in memory or a global. (Values have no names in the IR.)
 */
#ifndef HENCE_MODEL_VARIABLES_H
#define HENCE_MODEL_VARIABLES_H

#include "model/types.h"

/* A function or a block of one. */
struct variable_scope {
	const struct variable_scope *parent; /* NULL: a whole function */
	const char *function_name;           /* as in the source */
	uint32_t depth;                      /* 0: the function */
	/* Lines of the file that the function begins in; the last is its last instruction's. */
	uint32_t first_line, last_line;
};

struct variable {
	const char *name;
	const struct ctype *type;
	LLVMValueRef storage;               /* alloca, parameter or global: its address */
	const struct variable_scope *scope; /* NULL: file scope */
	const char *file;                   /* as the compiler was given it; NULL: not known */
	uint32_t line, column; /* of the declaration; 0: not known, as for globals' column */
	uint32_t argument;     /* of a parameter, from 1 on; 0: it is none */
	bool artificial;       /* made by the compiler, as the length of a VLA */
	bool indirect;         /* the storage holds a pointer to the variable */
	/* The call that it came from when its function was inlined (always_inline): each call
	   makes variables of its own. NULL: it was not. */
	LLVMMetadataRef inlined;
	/* Another variable with the same storage: locals of separate blocks that are returned
	   can share the place of the result. NULL: none. */
	const struct variable *also;
};

/* Variables in an order that the function that fills it says; freed with vec_deinit(). */
struct variable_list {
	const struct variable **at;
	uint32_t size, room;
};

struct variables;

/* Reads all variables of the types' module. The types must outlive them. The module is as before
   when this returns. Caller frees with variables_destroy(). */
struct variables *variables_create(struct types *types);
void variables_destroy(struct variables *variables);

/* What follows is valid until variables_destroy(). */

/* The variable that lives in an alloca, or in the memory behind a parameter (byval or sret). NULL:
   the compiler's own, such as the return value. */
const struct variable *variables_of_alloca(const struct variables *variables, LLVMValueRef storage);

/* The variable that a global is: at file scope or a static of a function. `__func__` is one. NULL:
   a string literal, or another that the programmer did not declare. */
const struct variable *variables_of_global(const struct variables *variables, LLVMValueRef global);

/* Parameters in their order, then locals and statics as they are declared; NULL: none at all. */
const struct variable_list *variables_of_function(const struct variables *variables,
                                                  LLVMValueRef function);

/* Appends all variables with this name that belong to the function, the innermost first, and then
   the one at file scope. The function may be NULL. */
void variables_named(const struct variables *variables, LLVMValueRef function, const char *name,
                     struct variable_list *out);

/* The variable that `name` means where an instruction comes from. NULL: there is none. */
const struct variable *variables_at(const struct variables *variables, LLVMValueRef instruction,
                                    const char *name);

/* The innermost scope that an instruction comes from; that of its function when it has no
   position. NULL: its function has no debug information. */
const struct variable_scope *variables_scope(const struct variables *variables,
                                             LLVMValueRef instruction);

#endif
