/*
 * Tracing with ptrace: what must be done at each stop of a traced process. Only exec, fork and
 * signals stop it; system calls run at full speed, and everything is passed on unchanged.
 */
#ifndef HENCE_RUN_TRACEE_H
#define HENCE_RUN_TRACEE_H

#include <stdbool.h>
#include <sys/types.h>

#include "run/processes.h"

/* Begins to trace a child; false: not permitted. */
bool tracee_attach(pid_t pid);

/* Handles a stop that waitpid() reported of a process or thread, and lets it go on. */
void tracee_stopped(struct processes *processes, pid_t thread, int status);

#endif
