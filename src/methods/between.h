/*
 * Points that both runs have, between two others: what searches in time choose from. Calls of
 * functions come first, those nearest to main, then statements.
 */
#ifndef HENCE_METHODS_BETWEEN_H
#define HENCE_METHODS_BETWEEN_H

#include "align/align.h"
#include "methods/transition_path.h"

/* How many there are between two times of the failing run, without them. */
uint64_t between_count(const struct alignment *alignment, uint64_t from, uint64_t to);

/* At most so many of them, in order, evenly chosen; all if they are no more. Appended to `out`,
   which is empty. */
void between_list(const struct alignment *alignment, const struct transition_path *path,
                  uint64_t from, uint64_t to, uint32_t most, struct path_times *out);

#endif
