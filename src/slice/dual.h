/*
 * The dual slice of two runs (M4): why they differ at a point, followed backwards through both. From an
 * instance of one run each data dependence is followed whose definition is in that run only, or made
 * another value there, and the control dependence if the branch is in that run only, or went another
 * way; where the other run has the instance as well, it is followed there too. What is equal in both is
 * not followed. Values of pointers are equal when they lead to corresponding objects at the same offset.
 *
 * Both runs are decoded and kept in memory up to the point: runs that are too long are refused by name.
 */
#ifndef HENCE_SLICE_DUAL_H
#define HENCE_SLICE_DUAL_H

#include "align/align.h"
#include "trace/execution.h"

/* Where it begins: statements of the runs (the first and the second; 0: that run does not have it). All
   that the statement reads counts, or what it reads of these bytes of memory. */
struct dual_seed {
	uint64_t times[2];
	uint64_t from[2], to[2]; /* addresses; to 0: all */
};

struct dual_options {
	uint64_t memory; /* bytes that both executions may take; 0: half of what is available */
	bool (*stop)(void *context);
	void *context;
};

/* `to` needs `from`, in run `side`. */
struct dual_edge {
	uint32_t from, to; /* instances; `from` may be an enum execution_source */
	uint64_t
		address; /* of the memory that it goes through, when `to` reads it; size 0: an operand, */
	uint64_t size; /* or a control dependence */
	uint8_t side;
	bool control;
};

struct dual;

/* Caller frees with dual_destroy(). */
MUST_USE struct hence_error *dual_find(const struct recording *a, const struct recording *b,
                                       const struct alignment *alignment,
                                       const struct dual_seed *seeds, uint32_t count,
                                       const struct dual_options *options, struct dual **out);
void dual_destroy(struct dual *dual);

/* Did options.stop end it before all was followed? */
bool dual_stopped(const struct dual *dual);

/* The execution of each run, kept; and the edges, in the order of `to` and then `from`. */
const struct execution *dual_execution(const struct dual *dual, unsigned side);
const struct dual_edge *dual_edges(const struct dual *dual, unsigned side, uint32_t *count);
bool dual_has(const struct dual *dual, unsigned side, uint32_t instance);
uint64_t dual_statement(const struct dual *dual, unsigned side, uint32_t instance);

/* Was it executed before the point of that statement? Of its instructions those are that the compiler put
   in front. */
bool dual_is_before(const struct dual *dual, unsigned side, uint32_t instance, uint64_t time);

/* The instance of the other run that is aligned; 0: none. */
uint32_t dual_counterpart(const struct dual *dual, unsigned side, uint32_t instance);

/* Where the same place (the corresponding object, or local of an aligned call, at the same offset) lies in
   the other run, when that instance was executed; 0: it has no such object. What lies in no object has
   the same address. */
uint64_t dual_place(const struct dual *dual, unsigned side, uint32_t instance, uint64_t address);

/* The cut: does an edge through any of these bytes of memory cross that point of the run, that is, were
   they written before statement `time`, and are they read at or behind it? */
bool dual_crosses(const struct dual *dual, unsigned side, uint64_t time, uint64_t address,
                  uint64_t size);

/* The aligned branches that went different ways and are in it: numbers in alignment->forks, in order. */
const uint32_t *dual_forks(const struct dual *dual, uint32_t *count);

/* Times of the statements in it that write what differs, of that run, in order: where steps of a chain are
   to be looked for. */
const uint64_t *dual_definitions(const struct dual *dual, unsigned side, uint32_t *count);

#endif
