/* The cause tree of a failing run: built, and its causes tried. For `hence tree` and `hence explain`. */
#ifndef HENCE_CLI_TREE_SEARCH_H
#define HENCE_CLI_TREE_SEARCH_H

#include "methods/angelic.h"
#include "cli/pair.h"

#define TREE_LEVELS 3u /* that are computed, if the user does not say */

/* Functions that are designated correct. */
struct tree_correct {
	VEC(char *) names;
};

/* Down to `until` the caller's. */
struct tree_search {
	struct pair *pair;                   /* has its failing run recorded */
	const struct violation_check *check; /* NULL: how the run failed */
	const struct tree_correct *correct;  /* NULL: no functions are designated correct */
	uint32_t levels, nodes;              /* as in struct tree_options */
	bool experiments;                    /* causes are to be tried */
	double until;                        /* CLOCK_MONOTONIC; 0: no limit */

	struct budget budget; /* of what is under way */
	struct tree_options options;
	struct str expected;
	struct tree tree;
	bool built; /* there is a tree */
	struct angelic_counts counts;
};

/* Builds and describes the tree and tries its causes; what is there when the time is up stays. Caller frees with
   tree_search_deinit(), after an error too. */
struct hence_error *tree_search_run(struct tree_search *search);

/* Describes and tries what tree_expand() added. */
struct hence_error *tree_search_go_on(struct tree_search *search);

void tree_search_deinit(struct tree_search *search);

#endif
