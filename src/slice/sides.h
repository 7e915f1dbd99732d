/*
 * What the sides of a branch may write, from the code alone: for potential dependences.
 *
 * A side is all blocks that can be reached by it before the sides meet again (model/control.h), with
 * the functions that are called there. Variables that are named are told apart: locals of the branch's
 * function, and globals, as a whole or the bytes that are written. Whatever is written through a pointer
 * may be any variable whose address is taken, if an access of that size and kind is made to it.
 *
 * Not seen: what functions that are called through a pointer write to globals by name.
 */
#ifndef HENCE_SLICE_SIDES_H
#define HENCE_SLICE_SIDES_H

#include <roaring/roaring.h>

#include "base/map.h"
#include "trace/execution.h"

#define SIDES_CLASSES 16u /* of accesses: by size and kind */
#define SIDES_ALL     ((1u << SIDES_CLASSES) - 1)

struct sides_set {
	VEC(struct execution_range) locals; /* offsets in the frame */
	roaring_bitmap_t *globals;          /* numbers: see sides_table */
	uint32_t pointers;                  /* set of classes */
	bool prints; /* something may be put out; only if the table has models */
};

/* Numbers of functions, each once. */
struct sides_list {
	VEC(uint32_t) all;
};

/* A function that a side calls, directly or not. */
struct sides_function {
	struct program_place place;
	struct sides_set set; /* without locals; with what it calls once it is `finished` */
	struct sides_list callees;
	bool listed, finished;
};

MAP_DEFINE_U64(sides_map, struct sides_set *);
MAP_DEFINE_U64(sides_number_map, uint32_t);

struct sides_table {
	const struct program *program;
	/* Models; NULL, as at first: any function of the library may write to what it is given. */
	const struct outside_table *outside;
	struct sides_map sides;
	VEC(struct sides_function) functions;
	struct sides_number_map function_numbers; /* 1 + number, by module and function */
	VEC(struct execution_range) globals;      /* addresses, by number */
	struct sides_number_map global_numbers;   /* 1 + number, by address */
};

void sides_table_init(struct sides_table *table, const struct program *program);
void sides_table_deinit(struct sides_table *table);

/* What the side of a block's branch may write that begins with successor number `side`. Valid until
   sides_table_deinit(). */
const struct sides_set *sides_of(struct sides_table *table, const struct code_function *function,
                                 uint32_t block, uint32_t side);

/* The class, as a set of one, of an access to a value of this type; all if the type is none. */
uint32_t sides_class(LLVMTargetDataRef layout, LLVMTypeRef type);

#endif
