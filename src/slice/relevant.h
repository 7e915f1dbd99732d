/*
 * Potential dependences: a branch that, taken the other way, could have written what a load in the
 * slice read (relevant slicing: Gyimothy, Beszedes, Forgacs, ESEC/FSE 1999).
 *
 * While a backward walk goes through a run, memory that was read in the slice is *open* from the load
 * back to the instance that wrote it. A branch in between is taken up if the code of a side that was not
 * taken may write to open memory (sides.h).
 *
 * Open memory is kept by bytes, of larger reads by words of 8, each with the oldest writer that it has;
 * variables of more than 64 bytes are looked up by page. That says rather more than less. Structures
 * passed by value are open only as the copies that were read.
 */
#ifndef HENCE_SLICE_RELEVANT_H
#define HENCE_SLICE_RELEVANT_H

#include "slice/sides.h"

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

/* The load that a branch in the function with this frame could have changed; 0: none. */
uint32_t relevant_find(const struct relevant *relevant, const struct sides_table *sides,
                       const struct sides_set *set, uint64_t frame, uint32_t branch);

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
