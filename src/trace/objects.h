/*
 * The objects of a run: variables, heap blocks, what the program was given; each with its place,
 * its birth and its death. Numbers begin at 1, so that 0 can mean 'none'.
 *
 * Locals are objects too, but found by address through their frames: only the others are in the
 * tree of live ones.
 */
#ifndef HENCE_TRACE_OBJECTS_H
#define HENCE_TRACE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum object_kind {
	OBJECT_GLOBAL,  /* `index` of module `owner` (plan->globals) */
	OBJECT_LOCAL,   /* `index` of frame `owner` (plan_function.locals) */
	OBJECT_DYNAMIC, /* alloca() or an array of variable length in frame `owner` */
	OBJECT_BYVAL,   /* parameter `index` of frame `owner`, a structure passed by value */
	OBJECT_HEAP,
	OBJECT_GIVEN, /* string `index` of argv (`owner` 0) or environ (1), or that array itself */
	OBJECT_KINDS,
};

#define OBJECT_ARRAY UINT16_MAX /* index of the array of strings itself */

struct object {
	uint64_t address;
	uint64_t size;
	uint32_t birth; /* instance; of globals and what was given 0 */
	uint32_t death; /* instance; 0: it lives */
	uint32_t owner;
	uint16_t index;
	uint8_t kind;
	uint8_t zeroed; /* its bytes are 0 at birth */
};

struct objects {
	VEC(struct object) all; /* number - 1 is the index */
	void *live;             /* tree of struct live */
};

void objects_init(struct objects *objects);
void objects_deinit(struct objects *objects);

/* Gives objects that are a bytewise copy of others a life of their own. */
void objects_own(struct objects *objects);

static inline struct object *objects_at(const struct objects *objects, uint32_t number)
{
	return &objects->all.at[number - 1];
}

/* Adds an object and gives its number. A live one at the same address is forgotten by the tree. */
uint32_t objects_add(struct objects *objects, const struct object *object);

/* The object dies. */
void objects_end(struct objects *objects, uint32_t number, uint32_t death);

/* A live object, not a local, changes its size in its place. */
void objects_resize(struct objects *objects, uint32_t number, uint64_t size);

/* The live object, not a local, that holds the address. 0: none. */
uint32_t objects_find(struct objects *objects, uint64_t address);

/* The first live object, not a local, that ends behind the address; 0: none. */
uint32_t objects_next(struct objects *objects, uint64_t address);

#endif
