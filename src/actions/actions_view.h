/*
 * Inside actions*.c: a model's view of one call. Expressions and regions, evaluated on the memory
 * that the caller knows, with what this call wrote laid over it or not.
 */
#ifndef HENCE_ACTIONS_ACTIONS_VIEW_H
#define HENCE_ACTIONS_ACTIONS_VIEW_H

#include "actions/actions.h"

#define VIEW_LOWEST 4096u /* below this there is no memory, as for the runtime */

struct view {
	const struct actions_call *call;
	const struct actions_memory *memory;
	struct effects written; /* laid over the memory; empty: as before the call */
	int64_t result;
	bool returned; /* there is a result */
	bool unknown;  /* something was asked for that nobody knows */
	/* What expressions read, noted here as ACTION_READ with `feeds` unless NULL. */
	struct action_list *reads;
	uint32_t feeds;
};

/* A piece of memory. */
struct view_region {
	uint64_t address, size;
};

enum view_answer {
	VIEW_NONE, /* no such region: at address 0, or empty */
	VIEW_GOOD,
	VIEW_UNKNOWN, /* the region is known in part: address or size may be 0 */
};

/* The result as an integer, as models see it; 0 if it is something else. */
int64_t view_result(const struct actions_call *call, const uint8_t *result, uint32_t size);

/* An integer or pointer argument, sign extended; 0 if the call has no such argument. */
int64_t view_argument(const struct actions_call *call, uint32_t index);

/* Up to `size` bytes; gives how many of the first are known. */
uint64_t view_read(const struct view *view, uint64_t address, uint64_t size, uint8_t *out);

/* Length of a string of characters of `unit` bytes, of at most `most` characters. False: it leaves
   the memory that is known, or is longer than ACTIONS_MOST bytes. */
bool view_length(const struct view *view, uint64_t address, uint32_t unit, uint64_t most,
                 uint64_t *out);

/* The value of an expression. False: it is not known. */
bool view_value(struct view *view, uint32_t code, int64_t *out);

/* Does the clause apply? VIEW_NONE: no. */
enum view_answer view_holds(struct view *view, const struct outside_clause *clause);

/* Where a row's region lies. `strings` measures strings. Not for OUTSIDE_VECTORS. */
enum view_answer view_region(struct view *view, const struct view *strings,
                             const struct outside_clause *row, struct view_region *out);

/* The pieces of a region of kind OUTSIDE_VECTORS; call with *at == 0 first, then again as long as it
   is VIEW_GOOD. */
enum view_answer view_vector(struct view *view, const struct outside_clause *row, uint32_t *at,
                             uint64_t *before, struct view_region *out);

/* The set of arguments that an expression is made from, also those in its old values. */
uint32_t view_arguments(const struct view *view, uint32_t code);

#endif
