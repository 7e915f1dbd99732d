/*
 * A guard: a process of ours that makes a directory and removes it when we are gone, however we went.
 * It is the leader of a session of its own, so a terminal's signals do not reach it, and nobody's
 * child, so that who waits for all children does not wait for it.
 */
#ifndef HENCE_RUN_GUARD_H
#define HENCE_RUN_GUARD_H

#include <stdbool.h>

struct guard {
	int socket; /* closed when we are gone; -1: there is no guard */
};

#define GUARD_INIT                                                                                 \
	{                                                                                          \
		-1                                                                                 \
	}

/* Makes a directory as mkdtemp() does, and watches over it; `clean` removes it with all that is in it, in
   the guard. False: not possible; errno says why. */
bool guard_start(char *template, void (*clean)(const char *path), struct guard *out);

/* Ends it, after the directory was removed; one that is still there goes too. */
void guard_stop(struct guard *guard);

#endif
