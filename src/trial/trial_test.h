/*
 * The user's test: a shell command that judges one trial, as a line for `sh -c`.
 *
 * It runs in the directory of the trial, with the varied files in place. Its standard input is that
 * of the trial. The program with its arguments is "$@"; a test that is a single word gets them as
 * its arguments. HENCE_PROGRAM is the program, HENCE_ARGS a file with the arguments, each with a 0
 * behind it, HENCE_STDIN a file with the standard input.
 */
#ifndef HENCE_TRIAL_TEST_H
#define HENCE_TRIAL_TEST_H

#include "base/error.h"

/* Makes the line. A relative path in the first word is made absolute, since the trial may run
   elsewhere; the error says that it does not exist or cannot be executed. Caller frees *out. */
struct hence_error *trial_test_line(const char *test, char **out);

#endif
