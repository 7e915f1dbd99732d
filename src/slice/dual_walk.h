/* Inside the dual slice: what is found on the way back through both runs. */
#ifndef HENCE_SLICE_DUAL_WALK_H
#define HENCE_SLICE_DUAL_WALK_H

#include "slice/dual.h"
#include "slice/dual_pair.h"
#include "slice/marks.h"

/* What is wanted of an instance. */
enum dual_want {
	DUAL_ITSELF, /* that it was executed */
	DUAL_VALUE,  /* its value, and all that it wrote */
	DUAL_BYTES,  /* some bytes that it wrote */
	DUAL_EARLY, /* what an outside call had done before a callback of it, `limit`, was executed */
};

struct dual_item {
	uint32_t instance, limit;
	uint64_t from, to;
	uint8_t side, want;
	bool fresh; /* nothing of it was wanted before */
};

/* Bytes that are wanted: in order and apart. */
struct dual_ranges {
	VEC(struct execution_range) at;
};

MAP_DEFINE_U64(dual_range_map, struct dual_ranges);
MAP_DEFINE_U64(dual_limit_map, uint32_t);

struct dual_origins {
	VEC(struct execution_origin) at;
};

struct dual_edges {
	VEC(struct dual_edge) at;
	uint32_t sorted; /* so many are in order, each once */
};

/* Of each run. */
struct dual_found {
	uint64_t *in, *whole; /* bits: is in it; and its value is wanted */
	struct dual_range_map ranges;
	struct dual_limit_map limits; /* of those wanted early */
	struct dual_edges edges;
	/* Of structures passed by value: the same edges through the memory that they were passed from. */
	struct dual_edges passed;
};

struct dual_walk {
	struct dual_pair *pair;
	struct dual_found found[2];
	VEC(struct dual_item) work;
	struct dual_origins lists[2]; /* room */
	bool stopped;
};

void dual_walk_init(struct dual_walk *walk, struct dual_pair *pair);
void dual_walk_deinit(struct dual_walk *walk);

/* Wants something of an instance, and of the aligned one, if that is new. */
void dual_walk_want(struct dual_walk *walk, struct dual_item item);

/* Follows all until nothing is new. */
void dual_walk_run(struct dual_walk *walk, bool (*stop)(void *context), void *context);

/* --- dual_seed.c --- */

void dual_walk_seed(struct dual_walk *walk, const struct dual_seed *seed);

/* --- dual_follow.c --- */

/* The instance that is looked at, and what both runs have it from. */
struct dual_use {
	struct dual_walk *walk;
	unsigned side;
	uint32_t instance;
	uint32_t other; /* the aligned one; 0: none */
	uint32_t limit; /* instances from this on do not count */
	struct dual_origins origins, others;
};

/* One at a time: the next one takes over its lists. */
void dual_use_init(struct dual_use *use, struct dual_walk *walk, unsigned side, uint32_t instance);
void dual_use_deinit(struct dual_use *use);

/* Fills in the lists, of a copy or an outside call for the bytes that it wrote from `from` to `to`, if that is
   not 0. */
void dual_use_find(struct dual_use *use, uint64_t from, uint64_t to);

/* Follows something that the instance came from, if it differs. */
void dual_use_follow(const struct dual_use *use, const struct execution_origin *origin);
void dual_use_follow_operand(struct dual_use *use, uint32_t operand);

/* Follows why the instance, which only one of the runs has, was executed. It need not be what it hangs on:
   the other run may have left by another way, longjmp() for instance. */
void dual_use_explain(const struct dual_use *use);

/* The call that the instance is; NULL: it is none. */
const struct code_call *dual_use_call(const struct dual_use *use);

/* --- dual_edges.c --- */

void dual_edges_add(struct dual_edges *edges, const struct dual_edge *edge);

/* Puts them in order, each once. */
void dual_edges_sort(struct dual_edges *edges);

/* False: these bytes were there. */
bool dual_ranges_add(struct dual_ranges *ranges, uint64_t from, uint64_t to);

#endif
