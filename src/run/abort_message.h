/*
 * The last words of glibc before abort(): it keeps the text of a failed assert, of a corrupt heap
 * or a smashed stack in its variable __abort_msg, for debuggers.
 */
#ifndef HENCE_RUN_ABORT_MESSAGE_H
#define HENCE_RUN_ABORT_MESSAGE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <sys/types.h>

#include "run/outcome.h"

/* Reads the message of a stopped process, without line ends. NULL: there is none. Caller frees. */
char *abort_message_read(Dwfl *dwfl, pid_t pid);

/* Takes apart 'prog: FILE:LINE: FUNCTION: Assertion `TEXT' failed.'; false: it is another message.
 */
bool abort_message_parse(const char *message, struct outcome_assert *out);

#endif
