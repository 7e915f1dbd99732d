/* A run that does not end: which loop goes round, and what does not get on in it. */
#ifndef HENCE_EXPLAIN_ENDLESS_H
#define HENCE_EXPLAIN_ENDLESS_H

#include "base/error.h"
#include "base/str.h"
#include "trace/recording.h"

/* Appends 'the loop at a.c:6 goes round and round: lo < hi, with lo = 2 and hi = 3 in each round'. Nothing, if its branches
   do not repeat at the end of what was recorded. */
MUST_USE struct hence_error *endless_describe(const struct recording *run, struct str *out);

#endif
