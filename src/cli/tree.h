/* How `hence tree` prints, also a saved tree. */
#ifndef HENCE_CLI_TREE_H
#define HENCE_CLI_TREE_H

#include "cli/report_options.h"
#include "report/cause_tree.h"

/* Prints a tree as text down to `show` levels (0: as many as fit), or in another format of options->format. `chosen`: only the way to that cause; 0: all. */
void tree_print_report(const struct cause_tree *tree, const struct report_options *options,
                       uint64_t show, uint32_t chosen, FILE *file);

#endif
