/* The methods that compare a pair of runs, for one explanation of all that they find. */
#ifndef HENCE_CLI_EXPLAIN_METHODS_H
#define HENCE_CLI_EXPLAIN_METHODS_H

#include "explain/explain.h"
#include "explain/suspects_slices.h"
#include "methods/transitions.h"
#include "cli/explain.h"
#include "cli/pair.h"

struct explain_methods {
	const struct explain_command *command; /* which methods */
	struct pair *pair;
	struct comparison compared;
	struct explanation *explanation;    /* gets notes */
	struct causes by_comparison, chain; /* what was found */
	struct transitions transitions;
	struct suspect_lines
		dual; /* that the dual slice has, where comparative causality made one */
	bool any;     /* one of them came to its end */
	bool stopped; /* one was ended early, with all that remained to be done */
};

/* Caller frees with explain_methods_deinit(). */
void explain_methods_run(struct explain_methods *methods);
void explain_methods_deinit(struct explain_methods *methods);

/* What went wrong in a part of the work is told; what else is known, too. */
void explain_tell(struct explain_methods *methods, const char *what, struct hence_error *error);

#endif
