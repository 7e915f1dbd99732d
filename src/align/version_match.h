/*
 * Which statements of a function are the same in two versions: those of one kind at the same place of a
 * line that is in both; and of two lines of which one replaces the other the last branches, if they lead
 * to the same lines.
 */
#ifndef HENCE_ALIGN_VERSION_MATCH_H
#define HENCE_ALIGN_VERSION_MATCH_H

#include "align/version_source.h"
#include "align/versions.h"

/* Fills pair->matches, which has VERSIONS_NONE for all. */
void version_match(struct version_pair *pair, const struct version_lines *lines);

#endif
