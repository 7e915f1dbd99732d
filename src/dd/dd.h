/*
 * Delta debugging over any set. A set has units 0 .. count-1; a test says of a subset whether it fails.
 *
 * dd_minimise()  a subset that fails and is 1-minimal: without any one of its units it does not fail
 * dd_isolate()   a passing and a failing set, one within the other, whose difference is 1-minimal
 *
 * Tests run many at a time: `start` is called while there is room, `wait` brings a verdict. The
 * outcome is the same whatever the number of workers and their speed: verdicts are used in the order
 * in which a single worker would have asked, and what was asked ahead in vain is cancelled.
 */
#ifndef HENCE_DD_DD_H
#define HENCE_DD_DD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/oracle.h"

/* A set of units: bit i of word i / 64. */
struct dd_set {
	uint64_t *words;
	uint32_t count; /* units that there are */
	uint32_t size;  /* units that are in it */
};

enum dd_order {
	DD_FAST,     /* likely parts first (probabilities, counters); then made 1-minimal */
	DD_TEXTBOOK, /* halves, quarters, ...: ddmin as published */
};

struct dd_search {
	uint32_t count; /* units */
	uint32_t room;  /* tests that may run at a time */
	enum dd_order order;
	/* Begins a test of the units in the set. */
	struct hence_error *(*start)(void *context, const struct dd_set *set, uint64_t id);
	/* Waits for any of those that were begun. */
	struct hence_error *(*wait)(void *context, uint64_t *id, enum verdict *out);
	void (*cancel)(void *context, uint64_t id);
	/* A smaller failing (larger passing, for dd_isolate()) set was found. May be NULL. */
	void (*better)(void *context, const struct dd_set *set, enum verdict verdict);
	/* Asked between tests; true ends the search with the best so far. May be NULL. */
	bool (*stop)(void *context);
	void *context;
};

struct dd_stats {
	uint64_t asked;  /* verdicts that were used */
	uint64_t tests;  /* tests that were run for them, with those begun in vain */
	uint64_t cached; /* verdicts known before */
	bool stopped;    /* by `stop`: the result fails, but may not be 1-minimal */
};

/* `failing` is a set that fails (the caller has seen it), and in the end a 1-minimal one. */
struct hence_error *dd_minimise(const struct dd_search *search, struct dd_set *failing,
                                struct dd_stats *stats);

/* `passing` is within `failing`; both ends move. */
struct hence_error *dd_isolate(const struct dd_search *search, struct dd_set *passing,
                               struct dd_set *failing, struct dd_stats *stats);

/* Sets. Caller frees with dd_set_deinit(). */
void dd_set_init(struct dd_set *set, uint32_t count, bool full);
void dd_set_copy(struct dd_set *to, const struct dd_set *from);
void dd_set_deinit(struct dd_set *set);
bool dd_set_has(const struct dd_set *set, uint32_t unit);
void dd_set_put(struct dd_set *set, uint32_t unit, bool in);
bool dd_set_equal(const struct dd_set *a, const struct dd_set *b);
uint64_t dd_set_hash(const struct dd_set *set);

#endif
