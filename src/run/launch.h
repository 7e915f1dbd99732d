/*
 * Runs a command and everything it starts, to the end: with the same standard streams, without
 * address randomisation, traced when that is permitted, and with nothing left behind.
 *
 * The terminal's signals reach the command as always, since it is in our process group. A second
 * SIGINT, or SIGTERM or SIGHUP to hence, ends the whole tree.
 */
#ifndef HENCE_RUN_LAUNCH_H
#define HENCE_RUN_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/processes.h"
#include <sys/types.h>

struct launch_options {
	const char *path; /* of the program */
	char *const *argv;
	const char *session; /* for HENCE_SESSION; NULL: do not record */
	int streams[3];      /* for stdin, stdout and stderr; -1: ours */
	double timeout;      /* seconds; 0: none */
};

struct launch_result {
	struct processes processes;
	double wall;          /* seconds */
	double cpu;           /* user and system time of all processes */
	bool traced;          /* false: ptrace is not permitted, so no crash details */
	bool fixed_addresses; /* false: the system did not let us switch off randomisation */
	uint32_t left;        /* processes that had to be killed after the first had ended */
};

/* Caller frees with launch_result_deinit(). */
MUST_USE struct hence_error *launch_run(const struct launch_options *options,
                                        struct launch_result *out);
void launch_result_deinit(struct launch_result *result);

/* Begins to trace a child; false: not permitted. */
bool tracee_attach(pid_t pid);

/* Handles a stop that waitpid() reported of a process or thread, and lets it go on. */
void tracee_stopped(struct processes *processes, pid_t thread, int status);

#endif
