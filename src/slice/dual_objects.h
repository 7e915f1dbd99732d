/* Which object held an address when an instance was executed: those that were alive at any time, by
   their addresses. */
#ifndef HENCE_SLICE_DUAL_OBJECTS_H
#define HENCE_SLICE_DUAL_OBJECTS_H

#include "trace/execution.h"

/* Objects that began at one address. */
struct dual_start {
	uint64_t address;
	uint64_t end;          /* of the longest of them */
	uint64_t far;          /* the furthest end of those at this and lower addresses */
	uint32_t first, count; /* in `numbers`, by birth */
};

struct dual_objects {
	const struct objects *all;
	uint32_t *numbers;
	uint32_t *births; /* numbers of those that an instance made, by that */
	uint32_t birth_count;
	struct dual_start *starts;
	uint32_t count; /* of starts */
};

void dual_objects_init(struct dual_objects *objects, const struct objects *all);
void dual_objects_deinit(struct dual_objects *objects);

/* The number of the object that had the address, preferably one that was alive; 0: none. */
uint32_t dual_objects_at(const struct dual_objects *objects, uint64_t address, uint32_t instance);

/* Is it one that a single instance made: a heap block, or memory that grows on the stack? */
static inline bool dual_objects_has_birth(const struct object *object)
{
	return object->kind == OBJECT_HEAP || object->kind == OBJECT_DYNAMIC;
}

/* The nth, from 0, of those that this instance made; 0: none. And which one of them it is. */
uint32_t dual_objects_born(const struct dual_objects *objects, uint32_t birth, uint32_t nth);
uint32_t dual_objects_nth(const struct dual_objects *objects, uint32_t number);

#endif
