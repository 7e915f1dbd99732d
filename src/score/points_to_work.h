/* Inside of points_to*.c: cells that hold pointers, and constraints between them. */
#ifndef HENCE_SCORE_POINTS_TO_WORK_H
#define HENCE_SCORE_POINTS_TO_WORK_H

#include "score/points_to.h"

#define MOST_NESTED 16 /* constants within constants */

/* Something that can hold pointers: a value of the IR, what a function returns, or all of an object. */
struct points_cell {
	roaring_bitmap_t *points;    /* objects; NULL: none */
	roaring_bitmap_t *to;        /* cells that hold all that this one does; NULL: none */
	VEC(uint32_t) loads;         /* cells that hold what the objects do */
	VEC(uint32_t) stores;        /* cells whose pointers the objects hold */
	VEC(LLVMValueRef) calls;     /* calls of what it points to */
	VEC(LLVMValueRef) callbacks; /* outside calls that may call what it points to */
	bool queued;
};

struct points_to {
	const struct score_functions *functions;
	VEC(struct points_cell) cells;
	VEC(struct points_object) objects;
	VEC(uint32_t) contents; /* of each object: its cell */
	VEC(uint32_t) queue;
	struct score_value_map cell_of;   /* value -> cell */
	struct score_value_map by_value;  /* value -> 1 + object */
	uint32_t *results;                /* of each function: the cell of what it returns */
	uint32_t *rests;                  /* of each function: see points_to_rest() */
	uint32_t outside;                 /* the object */
	struct score_value_map calls;     /* call -> 1 + number */
	struct score_value_map connected; /* number of a call << 32 | function */
};

uint32_t points_new_cell(struct points_to *points);

/* The cell of a value, made when it is new. */
uint32_t points_cell_of(struct points_to *points, LLVMValueRef value);

/* The cell may point to the object; `to` holds all that `from` does. */
void points_add(struct points_to *points, uint32_t cell, uint32_t object);
void points_copy(struct points_to *points, uint32_t from, uint32_t to);

/* The call may call the function of the program. Telling it again does nothing. */
void points_connect(struct points_to *points, LLVMValueRef call, uint32_t function);

void points_solve(struct points_to *points);

#endif
