/*
 * Smaller failing inputs, by delta debugging.
 *
 * Without a passing input: the failing input is cut into units and those that the failure does not
 * need are taken away (ddmin), until without any one of the rest the failure is gone. With a passing
 * input: units are the differences between the two, and both ends move (dd) until the difference is
 * 1-minimal. Units are tried coarse to fine, see levels.h. What was tried is remembered across levels.
 *
 * Only parts of the input that are `varied` change. The failing input is in memory all the time: no
 * file of the user is written.
 */
#ifndef HENCE_REDUCE_REDUCE_H
#define HENCE_REDUCE_REDUCE_H

#include "dd/dd.h"
#include "trial/input.h"
#include "trial/oracle.h"
#include "trial/trial.h"
#include "units/units.h"

/* How far a search is. */
struct reduce_progress {
	const char *unit; /* 'lines': what is tried now */
	uint64_t size,
		original; /* bytes of all varied parts; with a passing input, of the difference */
	uint64_t tests;
	double seconds;
};

struct reduce_options {
	struct trials_options trials; /* `input` is the failing input; workers 0: one per core */
	struct oracle_options oracle;
	const struct input *passing; /* inputs that do not fail; the nearest is used */
	uint32_t passing_count;
	/* A failing input whose output or status is not the one that the user expects stays as it is: of others nobody knows what
	   is right. Only one that passes is searched for. */
	bool keep;
	bool lenient; /* it is no error if none of them can be used; the search is as without them */
	struct units_by by; /* units: of units_by_parse(), "auto" for most */
	enum dd_order order;
	uint32_t repeat; /* runs that must agree; 0 and 1: one is enough */
	/* All may be NULL. The failing input was seen to fail, or a smaller one was found: */
	void (*better)(void *context, const struct input *failing);
	void (*progress)(void *context, const struct reduce_progress *progress);
	/* Asked between tests; true ends the search with the best so far. */
	bool (*stop)(void *context);
	/* Asked before that, while the failing input runs for the first time; true ends it without
	   a result. */
	bool (*give_up)(void *context);
	void *context;
};

/* How a search ended. */
enum reduce_end {
	REDUCE_DONE,       /* 1-minimal */
	REDUCE_STOPPED,    /* by `stop`: the failing input fails, but may not be 1-minimal */
	REDUCE_NO_FAILURE, /* the command does not fail */
	REDUCE_FLAKY,      /* the failing input fails only sometimes (`repeat`) */
	REDUCE_CANNOT_SAY, /* the user's test cannot judge the failing input */
	REDUCE_NOT_KNOWN,  /* by `give_up`: does it fail? */
};

/* Runs of one input that did not agree (`repeat`). */
struct reduce_flaky {
	uint64_t count;       /* inputs of that kind */
	struct input example; /* one of them */
	char *first, *other;  /* and how two of its runs ended; NULL: there is none */
};

/* A passing input that was given and passes. */
struct reduce_usable {
	uint32_t index;
	uint64_t distance; /* bytes of difference to the failing one */
};

struct reduce_result {
	enum reduce_end end;
	struct oracle oracle; /* what the failure is; not if there is none */
	char *ended;          /* how the run of the failing input did: "exited with 0" */
	char *confined; /* a system call of that run that confinement refused; NULL: none was seen */
	char *note; /* something about how runs are made that the user should know; NULL: nothing */
	struct input given;   /* the failing input as it was */
	struct input failing; /* the reduced failing input */
	struct input passing; /* nearest passing input: within the difference, or a neighbour */
	bool has_passing;
	int chosen; /* which of the passing inputs given; -1: none, a neighbour was found */
	VEC(struct reduce_usable) usable; /* all of these that pass, the nearest first */
	VEC(uint32_t)
	alike; /* those that print the same as the failing one: right there, but no reference */
	uint32_t refused; /* passing inputs given that do not pass, and were left out */
	char *refusal;    /* how the run of the first of these ended; NULL: there is none */
	uint64_t
		work; /* after which a run is cut, in any pool, if the failing one hangs; 0: see trial.h */
	char *unit;                 /* the finest that was minimised: 'bytes'; NULL: nothing was */
	uint64_t original, reduced; /* bytes of all varied parts */
	uint64_t differed, differs; /* bytes of difference to the chosen passing input, before and
	                               after the search; 0: there is none */
	uint64_t tests;             /* inputs that were run (more runs with `repeat`) */
	uint64_t cached;            /* verdicts that were known */
	uint64_t verdicts[3];       /* of the tests, by enum verdict */
	uint64_t runs, forked;      /* of the program, and how many of these by the fork server */
	double seconds;
	struct reduce_flaky flaky;
};

/* Searches. An error is one of the input (a passing input that fails, nothing to vary, a regular
   expression that matches nothing) or of the machine; `out` is written then, too, if the search
   had begun: *found says so. Caller frees with reduce_result_deinit(). */
MUST_USE struct hence_error *reduce_run(const struct reduce_options *options,
                                        struct reduce_result *out, bool *found);
void reduce_result_deinit(struct reduce_result *result);

/* Bytes of the varied parts, one more for each varied argument. */
uint64_t reduce_size(const struct input *input);

#endif
