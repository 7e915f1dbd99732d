/*
 * Delta debugging over any set. A set has units 0 .. count-1; a test says of a subset whether it
 * fails.
 *
 * dd_minimise()  a subset that fails and is 1-minimal: without any one of its units it does not
 * dd_isolate()   a passing and a failing set, one within the other, whose difference is 1-minimal
 *
 * Tests run many at a time: `start` is called while there is room, `wait` brings a verdict. The
 * outcome is the same whatever the number of workers and their speed: verdicts are used in the
 * order in which a single worker would have asked, and what was asked ahead in vain is cancelled.
 *
 * A set is never asked about twice in one search. Searches share nothing, so a callback may begin
 * another one (nested, or with finer units of what is left).
 */
#ifndef HENCE_DD_DD_H
#define HENCE_DD_DD_H

#include "base/error.h"
#include "dd/set.h"
#include "trial/oracle.h"

enum dd_order {
	DD_FAST,     /* likely parts first, in groups whose size adapts; then made 1-minimal */
	DD_TEXTBOOK, /* halves, quarters, ...: ddmin as published */
};

struct dd_search {
	uint32_t count;      /* units */
	uint32_t room;       /* tests that may run at a time; 0: 1 */
	enum dd_order order; /* of dd_minimise() */
	/* Begins a test of the units in the set, which is valid during the call. Called only
	   while fewer than `room` tests run; those that were cancelled do not count. Ids are not
	   used twice within a search. */
	struct hence_error *(*start)(void *context, const struct dd_set *set, uint64_t id);
	/* Waits for any of those that were begun. An id that is not running (cancelled, or no id at
	   all, such as UINT64_MAX) is ignored: so it may come back early for `stop` to be asked. */
	struct hence_error *(*wait)(void *context, uint64_t *id, enum verdict *out);
	/* Ends a running test: its verdict is not wanted any more. May be NULL when room is 1. */
	void (*cancel)(void *context, uint64_t id);
	/* A smaller failing set (VERDICT_FAIL) was found or, by dd_isolate(), a larger passing one
	   (VERDICT_PASS). The set is valid during the call. May be NULL. */
	void (*better)(void *context, const struct dd_set *set, enum verdict verdict);
	/* Asked between tests; true ends the search with the best so far. May be NULL. */
	bool (*stop)(void *context);
	void *context;
};

/* How many sets the search asked about; all but `tests` are the same for any number of workers. */
struct dd_stats {
	uint64_t asked;  /* verdicts that were used, each set once */
	uint64_t tests;  /* tests that were begun: `asked` and those begun in vain */
	uint64_t cached; /* verdicts that were used again */
	bool stopped;    /* by `stop`: the result may not be 1-minimal */
};

/* `failing` is a set that fails (the caller has seen it), and in the end a 1-minimal one within it.
   The empty set is tested as well: when it fails it is the result. An error of a callback, or
   `stop`, ends the search; running tests are cancelled and `failing` is the best so far.
   `stats` (may be NULL) is written in any case. */
MUST_USE struct hence_error *dd_minimise(const struct dd_search *search, struct dd_set *failing,
                                         struct dd_stats *stats);

/* `passing` passes and is within `failing`, which fails; both ends move towards each other. In
   the end no single unit of the difference can be moved to the other side: the verdict is then
   unresolved, or the difference has only one unit. Errors, `stop` and `stats` are as above. */
MUST_USE struct hence_error *dd_isolate(const struct dd_search *search, struct dd_set *passing,
                                        struct dd_set *failing, struct dd_stats *stats);

#endif
