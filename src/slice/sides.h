/*
 * What the sides of a branch may write, from the code alone: for potential dependences.
 *
 * A side is all blocks that can be reached by it before the sides meet again (model/control.h), with
 * the functions that are called there. Variables that are named are told apart: locals of the branch's
 * function, and globals, as a whole or the bytes that are written. Whatever is written through a pointer
 * may be any variable whose address is taken, if an access of that size and kind is made to it.
 *
 * Not seen: what functions that are called through a pointer write to globals by name; and, where
 * functions call each other in a circle, some of what the others write.
 */
#ifndef HENCE_SLICE_SIDES_H
#define HENCE_SLICE_SIDES_H

#include "base/map.h"
#include "trace/execution.h"

#define SIDES_CLASSES 16u /* of accesses: by size and kind */
#define SIDES_ALL     ((1u << SIDES_CLASSES) - 1)

struct sides_set {
	VEC(struct execution_range) locals;  /* offsets in the frame */
	VEC(struct execution_range) globals; /* addresses */
	uint32_t pointers;                   /* set of classes */
};

MAP_DEFINE_U64(sides_map, struct sides_set *);

struct sides_table {
	const struct program *program;
	struct sides_map sides, functions;
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
