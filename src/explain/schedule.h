/* Which methods compare the two runs, in which order, and how long: for one explanation of all that they find. */
#ifndef HENCE_EXPLAIN_SCHEDULE_H
#define HENCE_EXPLAIN_SCHEDULE_H

#include "explain/steps.h"
#include "explain/suspects_slices.h"
#include "methods/transitions.h"
#include "explain/question.h"
#include "explain/references.h"

struct schedule {
	const struct explain_question *question; /* which methods */
	struct references *pair;
	struct comparison compared;
	struct explanation *explanation;    /* gets notes */
	struct causes by_comparison, chain; /* what was found */
	struct transitions transitions;
	struct suspect_lines
		dual; /* that the dual slice has, where comparative causality made one */
	bool any;     /* one of them came to its end */
	bool stopped; /* one was ended early, with all that remained to be done */
};

/* Caller frees with schedule_deinit(). */
void schedule_run(struct schedule *schedule);
void schedule_deinit(struct schedule *schedule);

/* What went wrong in a part of the work is told; what else is known, too. */
void schedule_note_error(struct schedule *schedule, const char *what, struct hence_error *error);

#endif
