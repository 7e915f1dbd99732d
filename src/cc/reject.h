/* Options that clang does not know: builds written for gcc are full of them. */
#ifndef HENCE_CC_REJECT_H
#define HENCE_CC_REJECT_H

#include <stdbool.h>

#include "cc/args.h"
#include "cc/words.h"

/*
 * Reads clang's messages for options that it rejects, marks those as dropped, and appends their
 * names to `told`. `program` is the name that begins its messages. False if there was none to drop.
 */
bool reject_drop(struct cc_args *args, const char *program, const char *messages,
                 struct cc_words *told);

/*
 * Reads clang's messages for warnings that -Werror made errors but gcc does not have, and appends -Wno-error=NAME
 * for each to `forgiven`, unless the user names it in a -Werror=NAME. False if there was no new one.
 */
bool reject_forgive(const struct cc_args *args, const char *messages, struct cc_words *forgiven);

#endif
