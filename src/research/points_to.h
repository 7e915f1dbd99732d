/*
 * What pointers may point to: inclusion constraints (Andersen), for the whole program, that know neither the order of statements, nor calls
 * apart, nor members of structs and elements of arrays. Objects are locals, globals, functions, parameters in memory, what follows the parameters of a
 * variadic function, one for all the heap memory that a call gives, and one for all that is outside (argv).
 *
 * An outside function gives back a new object or what its arguments point to, copies pointers from all of them to those that its model says it
 * writes to, and calls functions that it gets with any of its arguments.
 */
#ifndef HENCE_RESEARCH_POINTS_TO_H
#define HENCE_RESEARCH_POINTS_TO_H

#include <roaring/roaring.h>

#include "research/score_functions.h"

struct points_object {
	LLVMValueRef value; /* alloca, global, function, parameter or call; NULL: outside */
	uint32_t owner; /* the function whose call it lives as long as; SCORE_NO_FUNCTION: none */
	uint64_t size;  /* in bytes; 0: not known */
};

struct points_to;

/* The functions must outlive it. Caller frees with points_to_destroy(). */
struct points_to *points_to_create(const struct score_functions *functions);
void points_to_destroy(struct points_to *points);

/* The objects that a pointer may point to; NULL: none, or it is no pointer. Valid until points_to_destroy(). */
const roaring_bitmap_t *points_to_of(const struct points_to *points, LLVMValueRef pointer);

const struct points_object *points_to_object(const struct points_to *points, uint32_t object);

/* The object that a local, a global or a parameter in memory is; UINT32_MAX: it is none. */
uint32_t points_to_find(const struct points_to *points, LLVMValueRef storage);

/* The object of what follows the parameters of a variadic function; UINT32_MAX: it has none. */
uint32_t points_to_rest(const struct points_to *points, uint32_t function);

/* Functions of the program that a call may call, also by way of an outside function that gets their address. */
struct points_callees {
	VEC(uint32_t) all;
	bool outside; /* it may call one that is not of the program */
};

/* Caller frees with vec_deinit(&out->all). */
void points_to_callees(const struct points_to *points, LLVMValueRef call,
                       struct points_callees *out);

#endif
