/*
 * What hence cc does about the user's options: most stay, some give way to our own (-O2 to -O0),
 * and some cannot go together with recording.
 */
#ifndef HENCE_CC_POLICY_H
#define HENCE_CC_POLICY_H

#include "base/error.h"
#include "cc/args.h"
#include "cc/words.h"

/*
 * Marks as dropped what must not reach clang. Appends to `told` the options whose loss the user
 * should hear of, each once. Not for calls that only ask clang something (CC_ASKING).
 */
void policy_clean(struct cc_args *args, struct cc_words *told);

/* Whether hence cc can do this at all: the error names the first input or option that it cannot. */
MUST_USE struct hence_error *policy_check(const struct cc_args *args);

#endif
