/*
 * Child processes, and the signals that end a build: while a child runs, SIGINT, SIGTERM and SIGHUP
 * are handed to it, and hence goes on only to clean up.
 */
#ifndef HENCE_CC_CHILD_H
#define HENCE_CC_CHILD_H

#include <stdbool.h>

#include "base/error.h"

/* Begins to catch the signals. Those that were ignored stay ignored. */
void child_guard(void);

/* The signal that came since child_guard(), or 0. */
int child_caught(void);

/* Dies of the signal that was caught; returns if there was none. To be called after cleaning up. */
void child_pass_on_signal(void);

/*
 * Runs a program and waits for it. argv[0] is its path, or its name in PATH. stderr_fd becomes its
 * standard error unless negative. *status is as waitpid() gives it. The error says that the program
 * could not be started.
 */
MUST_USE struct hence_error *child_run(char *const *argv, int stderr_fd, int *status);

/*
 * Runs `work` in a process of its own, so that whatever it does wrong, the caller can clean up. Its
 * error comes back as if it had been called; `name` says what it was about if it dies.
 */
MUST_USE struct hence_error *child_call(struct hence_error *(*work)(const void *context),
                                        const void *context, const char *name);

#endif
