/* Compiling one input. */
#ifndef HENCE_CC_COMPILE_H
#define HENCE_CC_COMPILE_H

#include "base/error.h"
#include "cc/clang.h"

/* All of these: *code is clang's exit code, and after a failure there is no output file. */

/* Compiles a C input to an object with hooks, or to assembly if the call's mode says so. */
MUST_USE struct hence_error *compile_c(struct clang_run *run, const struct cc_item *input,
                                       const char *output, int *code);

/* Lets clang compile an input in another language. */
MUST_USE struct hence_error *compile_other(struct clang_run *run, const struct cc_item *input,
                                           const char *output, int *code);

/* Lets clang do the whole call (-E, -M, -fsyntax-only, ...), with the options that are left. */
MUST_USE struct hence_error *compile_through(struct clang_run *run, int *code);

#endif
