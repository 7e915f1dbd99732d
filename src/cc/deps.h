/*
 * Dependency files (-MD, -MMD). Since clang is told to write a temporary file, it must also be told
 * what it would have worked out from the real output: the name of the dependency file, and the
 * target in it.
 */
#ifndef HENCE_CC_DEPS_H
#define HENCE_CC_DEPS_H

#include "cc/args.h"
#include "cc/words.h"

/* Appends the dependency options for one C input. Nothing if the user asked for none. */
void deps_emit(const struct cc_args *args, const struct cc_item *input, struct cc_words *words);

#endif
