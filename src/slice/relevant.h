/*
 * Potential dependences: a branch that, taken the other way, could have written what a load in the
 * slice read (relevant slicing: Gyimothy, Beszedes, Forgacs, ESEC/FSE 1999).
 *
 * While a backward walk goes through a run, memory that was read in the slice is *open* from the load
 * back to the instance that wrote it. A branch in between is taken up if the code of a side that was not
 * taken may write to open memory.
 *
 * Open memory is kept by bytes, of larger reads by words of 8, each with the oldest writer that it has;
 * variables of more than 64 bytes are looked up by page. That says rather more than less. Structures
 * passed by value are open only as the copies that were read.
 */
#ifndef HENCE_SLICE_RELEVANT_H
#define HENCE_SLICE_RELEVANT_H

#include <roaring/roaring.h>

#include "base/map.h"
#include "trace/execution.h"

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

/* --- open memory --- */

struct relevant_open {
	uint32_t since; /* instance that wrote it */
	uint32_t load;  /* instance that read it */
};

MAP_DEFINE_U64(relevant_map, struct relevant_open);

struct relevant {
	struct relevant_map open;
	struct relevant_open classes[SIDES_CLASSES]; /* the oldest, of memory that pointers reach */
};

void relevant_deinit(struct relevant *relevant);

/* A load in the slice read these bytes, which `since` wrote. `classes`: accesses of these kinds through
   pointers reach them. */
void relevant_add(struct relevant *relevant, uint64_t at, uint64_t size, uint32_t since,
                  uint32_t load, uint32_t classes);

/* Accesses through pointers that reach what a kept instance read: their classes. */
uint32_t relevant_classes(const struct execution *execution, uint32_t instance);

/* The load that the branch which ends a kept segment of this function could have changed, had it gone
   another way; of a switch, the way that it went counts, too. 0: none, or it is no branch. */
uint32_t relevant_try(const struct relevant *relevant, struct sides_table *sides,
                      const struct execution *execution, const struct execution_segment *segment,
                      const struct code_function *function, uint32_t branch);

/* Could that branch, had it gone another way, have put something out? See sides_set.prints. */
bool relevant_prints(struct sides_table *sides, const struct execution *execution,
                     const struct execution_segment *segment, const struct code_function *function,
                     uint32_t branch);

/* Forgets what was written at `from` or later. */
void relevant_drop(struct relevant *relevant, uint32_t from);

#endif
