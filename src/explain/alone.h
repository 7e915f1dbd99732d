/* What the failing run tells by itself: its cause tree, built, tried, and as a part of an explanation. */
#ifndef HENCE_EXPLAIN_ALONE_H
#define HENCE_EXPLAIN_ALONE_H

#include "explain/expected_file.h"
#include "explain/illustrations.h"
#include "explain/question.h"
#include "explain/references.h"
#include "methods/angelic.h"
#include "report/cause_tree.h"

#define TREE_LEVELS 3u /* that are computed, if the user does not say */

/* Functions that are designated correct. */
struct tree_correct {
	VEC(char *) names;
};

/* Down to `until` the caller's. */
struct tree_search {
	struct references *pair;             /* has its failing run recorded */
	const struct violation_check *check; /* NULL: how the run failed */
	const struct tree_correct *correct;  /* NULL: no functions are designated correct */
	uint32_t levels, nodes;              /* as in struct tree_options */
	bool experiments;                    /* causes are to be tried */
	double until;                        /* CLOCK_MONOTONIC; 0: no limit */

	struct budget budget; /* of what is under way */
	struct tree_options options;
	struct str expected;
	struct expected_file file; /* that is wrong */
	struct tree tree;
	bool built; /* there is a tree */
	struct angelic_counts counts;
};

/* Builds and describes the tree and tries its causes; what is there when the time is up stays. Caller frees with
   tree_search_deinit(), after an error too. */
MUST_USE struct hence_error *tree_search_run(struct tree_search *search);

/* Describes and tries what tree_expand() added. */
MUST_USE struct hence_error *tree_search_go_on(struct tree_search *search);

void tree_search_deinit(struct tree_search *search);

/* All but program and command. `sources` and `counts` may be NULL. Caller frees with cause_tree_deinit(). */
void tree_report(const struct tree *tree, const struct angelic_counts *counts,
                 struct explain_sources *sources, struct cause_tree *out);

/* The causes of a tree as steps and suspects of an explanation: the proven ones, for where there is nothing to
   compare with (`steps`), or as suspects beside others; and a note on indirect causes that a comparison cannot see.
   The tree, from malloc(), is the explanation's then. */
void explain_add_tree(struct cause_tree *tree, bool steps, struct explanation *out);

/* Adds the cause tree of the failing run, if the explanation has none: its steps, if nothing is proven otherwise, or
   else what it has in addition. */
void explain_alone(const struct explain_question *question, struct references *pair,
                   struct explanation *out);

#endif
