/*
 * What the oracle knows of memory: for each byte the instance that wrote it last, in a plain hash
 * table; and the objects with their lives, in plain lists.
 */
#ifndef ORACLE_SHADOW_H
#define ORACLE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "facts.h"

#define SHADOW_UNWRITTEN (-3) /* since its object was born */

/* The instance that wrote the byte, FACTS_UNKNOWN or SHADOW_UNWRITTEN. */
int64_t shadow_get(uint64_t address);
void shadow_set(uint64_t address, uint64_t size, int64_t instance);

struct object {
	struct facts_place place; /* of its first byte */
	uint64_t address, size;
	int64_t born, died;
};

/* Adds an object that lives; its number in the list. */
uint32_t objects_add(struct facts_place place, uint64_t address, uint64_t size, int64_t born);
struct object *objects_at(uint32_t number);
uint32_t objects_count(void);

/* The object that lives and holds the address; NULL: none. */
struct object *objects_find(uint64_t address);

/* The object that lives and begins there dies; false: there is none. */
bool objects_end(uint64_t address, int64_t died);

/* Locals and parameters of the activation die. */
void objects_end_of(int64_t activation, int64_t died);

/* The place of an address; no kind: in no object. */
struct facts_place objects_place(uint64_t address);

#endif
