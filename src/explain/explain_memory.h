/* The memory graph of each step of an explanation: explanation_step.memory. */
#ifndef HENCE_EXPLAIN_EXPLAIN_MEMORY_H
#define HENCE_EXPLAIN_EXPLAIN_MEMORY_H

#include "align/align.h"
#include "base/budget.h"
#include "report/explanation.h"
#include "trace/recording.h"

struct explain_memory_options {
	const struct recording *failing;
	const struct recording *reference; /* NULL: there is none, and cells have only one value */
	const struct alignment *alignment; /* of the two */
	/* Where the failure shows, which steps that were observed do not say; 0: not known. */
	uint64_t failing_time, reference_time;
	uint64_t most;               /* statements that may be decoded; 0: some millions */
	const struct budget *budget; /* NULL: no limit */
};

/*
 * Draws the memory at the points of all steps, around their variables, as the failing run has it, next to what the
 * reference has (state/picture.h says what is drawn). Each recording is decoded once, up to the last point. For runs that
 * are too long it only adds a note; when stopped, the steps that are left have none, and a note says so. Steps that have a graph already
 * keep it.
 */
struct hence_error *explain_memory(const struct explain_memory_options *options,
                                   struct explanation *out);

#endif
