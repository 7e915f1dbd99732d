/*
 * What a process was doing when a deadly signal came: asked of the process itself, which must be in
 * a ptrace stop for that signal.
 */
#ifndef HENCE_RUN_CRASH_H
#define HENCE_RUN_CRASH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/outcome.h"

/* A fault that the program caught: if its handler raises the same signal again to die of it, this
   is the place to report. */
struct crash_fault {
	int signal; /* 0: none */
	uint64_t pc;
	char *detail;
};

/* True if the signal will end the process: it is not ignored and has no handler. */
bool crash_is_deadly(pid_t thread, int signal);

/* Notes a fault that the program will handle itself. Cheap. */
void crash_note_fault(pid_t thread, int signal, struct crash_fault *fault);

/* Fills detail, places and assertion of `outcome` (freeing what it had); the rest stays. */
void crash_note(pid_t pid, pid_t thread, int signal, const struct crash_fault *fault,
                struct outcome *outcome);

/* Takes the message of a failed assertion apart: 'prog: FILE:LINE: FUNCTION: Assertion `TEXT'
   failed.' False: it is another message. */
bool abort_message_parse(const char *message, struct outcome_assert *out);

#endif
