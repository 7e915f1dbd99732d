/* The code between the part of the input that decides and the failure: from a failing input to its chop (methods/chop.h). */
#ifndef HENCE_EXPLAIN_INPUT_CHOP_H
#define HENCE_EXPLAIN_INPUT_CHOP_H

#include "explain/recorded.h"
#include "failure/criterion.h"
#include "methods/deciding.h"
#include "reduce/reduce.h"
#include "report/listing.h"

struct input_chop_options {
	const struct trials_options *trials; /* of the search that `reduced` comes from */
	const struct reduce_result *reduced; /* the failing input, and perhaps a passing one */
	const struct run_options *run;
	const struct budget *budget;
	bool as_given; /* the input was not reduced, so nothing is said about that */
	bool isolate;  /* a passing input that was only found counts, too */
	bool relevant; /* relevant slices: see slice_options */
};

struct input_chop {
	bool unstable; /* the recorded run prints something else than the one before: there is no chop */
	bool stopped;  /* the time was over before the whole run was read */
	bool isolated; /* `deciding` is a difference to the passing input */
	struct deciding deciding;
	struct criterion criterion;
	struct listing listing;     /* lines of the chop: what was executed last comes first */
	uint64_t backward, forward; /* lines in these slices */
	uint64_t
		independent; /* lines of the chop that are in it only because no input reaches them */
	VEC(char *) notes;
};

/* Records the failing input, and chops that run. Caller frees with input_chop_deinit(), after an error too. */
MUST_USE struct hence_error *input_chop_find(const struct input_chop_options *options,
                                             struct input_chop *out);
void input_chop_deinit(struct input_chop *chop);

#endif
