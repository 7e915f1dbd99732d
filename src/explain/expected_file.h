/*
 * A file that the program should have written (--expect-file): what the failing run wrote to it, from its recording, against what is right.
 * Whether a run is right says a test of all files, which sees no more than that.
 */
#ifndef HENCE_EXPLAIN_EXPECTED_FILE_H
#define HENCE_EXPLAIN_EXPECTED_FILE_H

#include "explain/illustrations.h"

/* Looks for the first of these pairs 'OUT=RIGHT' that differs: the failure's message says how, the place is that of the call that wrote
   the first wrong byte, which is also the last step and a suspect. Adds nothing where the run is too long to be kept, or not all that it wrote is
   known. `until` (CLOCK_MONOTONIC, in seconds; 0: none) limits the time. */
__attribute__((warn_unused_result)) struct hence_error *
expected_file_describe(const struct recording *run, const char *const *pairs, uint32_t count,
                       double until, struct explanation *e);

#endif
