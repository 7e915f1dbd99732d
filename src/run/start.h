/* Starts a command in a new process: see launch.h for what it finds there. */
#ifndef HENCE_RUN_START_H
#define HENCE_RUN_START_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "run/launch.h"

struct started {
	pid_t pid;
	bool traced;          /* false: ptrace is not permitted */
	bool fixed_addresses; /* false: the system insists on address randomisation */
	int failed;           /* a pipe that brings the reason of a failed exec */
};

/* Starts it, with the signal mask `mask`. */
struct hence_error *start_command(const struct launch_options *options, const sigset_t *mask,
                                  struct started *out);

/* After it has ended, to be called once: says why the program could not be executed; NULL: it was.
 */
struct hence_error *start_check(struct started *started, const struct launch_options *options);

#endif
