/* Version scripts on a link line, and the words for the linker that name them. */
#ifndef HENCE_CC_SCRIPTS_H
#define HENCE_CC_SCRIPTS_H

#include "base/error.h"
#include "cc/clang.h"
#include "cc/words.h"

/* Appends all words for the linker: what -Wl, and -Xlinker carry. */
void scripts_linker_words(const struct cc_args *args, struct cc_words *words);

/*
 * Replaces each version script on the line by a copy in the scratch directory that exports the
 * runtime's symbols too. A script that cannot be read is left for the linker to complain about.
 */
struct hence_error *scripts_open(struct clang_run *run);

#endif
