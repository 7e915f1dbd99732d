/*
 * A file that the program should have written (--expect-file): what the failing run wrote to it, from its recording, against what is right.
 * Whether a run is right says a test of all files, which sees no more than that.
 */
#ifndef HENCE_EXPLAIN_EXPECTED_FILE_H
#define HENCE_EXPLAIN_EXPECTED_FILE_H

#include "explain/illustrations.h"

/* A file that is not as it should be. */
struct expected_file {
	const char *name; /* as the program opened it; NULL: there is none */
	struct str has, right;
};

/* The first of these pairs 'OUT=RIGHT' that differs. There is none where the run is too long to be kept, or not all that it wrote is known.
   The name is valid as long as the run's history. Caller frees with expected_file_deinit(). */
__attribute__((warn_unused_result)) struct hence_error *
expected_file_find(const struct recording *run, const char *const *pairs, uint32_t count,
                   struct expected_file *out);
void expected_file_deinit(struct expected_file *file);

/* The failure's message says how the file differs, and the place is that of the call that wrote the first wrong byte, which is also the last step and
   a suspect. `until` (CLOCK_MONOTONIC, in seconds; 0: none) limits the time. */
__attribute__((warn_unused_result)) struct hence_error *
expected_file_describe(const struct recording *run, const struct expected_file *file, double until,
                       struct explanation *e);

#endif
