/*
 * How a process ended, and where: the exit status or signal, and for a deadly signal the place in
 * the source and what libc said about it.
 */
#ifndef HENCE_RUN_OUTCOME_H
#define HENCE_RUN_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"

enum outcome_kind {
	OUTCOME_UNKNOWN, /* not seen to end */
	OUTCOME_EXITED,
	OUTCOME_SIGNALLED,
	OUTCOME_TIMED_OUT, /* we killed it because of --timeout */
	OUTCOME_REPLACED,  /* it ran another program by exec */
};

/* A place in a program. Any of the texts may be NULL and the numbers 0: not known. */
struct place {
	char *function;
	char *file; /* as the compiler was given it */
	int line;
	int column;
	char *elf; /* path of the executable or library */
};

/* A failed assert(), as libc printed it. `text` is NULL when no assert failed. */
struct outcome_assert {
	char *text;
	char *file;
	int line;
	char *function; /* name only */
};

struct outcome {
	enum outcome_kind kind;
	int status;             /* OUTCOME_EXITED */
	int signal;             /* OUTCOME_SIGNALLED */
	char *detail;           /* why the signal: 'invalid address 0x0'; NULL: not known */
	struct place place;     /* in the program's own code, if there is some on the stack */
	struct place innermost; /* where the signal struck, if that is elsewhere; else empty */
	struct outcome_assert assertion;
	/* Of a stack overflow: the functions that call each other again and again near its end, in
	   alphabetical order, with a comma behind each. NULL: it is none, or not known. */
	char *recursion;
};

void place_deinit(struct place *place);
void place_copy(struct place *to, const struct place *from);

/* Frees what it holds; it is then OUTCOME_UNKNOWN. */
void outcome_deinit(struct outcome *outcome);

/* `to` must be empty. Caller frees with outcome_deinit(). */
void outcome_copy(struct outcome *to, const struct outcome *from);

/* The exit code that a shell would show: the status, 128 + signal. */
int outcome_exit_code(const struct outcome *outcome);

/* 'SIGSEGV'; 'signal 77' for one without a name. Valid until the next call. */
const char *outcome_signal_name(int signal);

/* For the account: 'exit N', 'signal NAME at FILE:LINE:COL in FUNC', 'assert TEXT at ...'. */
void outcome_write_key(const struct outcome *outcome, struct str *out);

/* For a person, to be put after the name of the program: 'was killed by SIGSEGV ...'. */
void outcome_write_text(const struct outcome *outcome, struct str *out);

/* Appends the outcome as bytes, for a file or another process. */
void outcome_bytes_write(const struct outcome *outcome, struct str *out);

/* False: the bytes are no outcome. Caller frees with outcome_deinit(). */
bool outcome_bytes_read(const void *bytes, size_t size, struct outcome *out);

#endif
