/*
 * Textbook ddmin, written for comparison only: over arrays of unit numbers, with nothing of src/.
 * Tests compare src/dd with it, benchmarks count with it.
 */
#ifndef HENCE_TESTS_DD_REFERENCE_H
#define HENCE_TESTS_DD_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

struct reference_result {
	uint32_t *units; /* ascending; caller frees with free() */
	uint32_t size;
	uint64_t tests; /* calls of the test */
	uint64_t known; /* sets asked about again, answered from memory */
};

/* Minimises the set 0 .. count-1, which fails. `fails` says whether a set does; anything else
   (passing, unresolved) is false. The empty set is tested first. No set is tested twice. */
struct reference_result
reference_ddmin(uint32_t count, bool (*fails)(void *context, const uint32_t *units, uint32_t size),
                void *context);

#endif
