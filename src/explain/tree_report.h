/* The cause tree, for printers. */
#ifndef HENCE_EXPLAIN_TREE_REPORT_H
#define HENCE_EXPLAIN_TREE_REPORT_H

#include "methods/angelic.h"
#include "explain/explain_source.h"
#include "report/cause_tree.h"

/* All but program and command. `sources` and `counts` may be NULL. Caller frees with cause_tree_deinit(). */
void tree_report(const struct tree *tree, const struct angelic_counts *counts,
                 struct explain_sources *sources, struct cause_tree *out);

/* The causes of a tree as steps and suspects of an explanation: the proven ones, for where there is nothing to
   compare with (`steps`), or as suspects beside others; and a note on indirect causes that a comparison cannot see.
   The tree, from malloc(), is the explanation's then. */
void explain_add_tree(struct cause_tree *tree, bool steps, struct explanation *out);

#endif
