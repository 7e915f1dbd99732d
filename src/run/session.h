/*
 * A session directory: what a recorded program and hence share (runtime/protocol.h). One exists at
 * a time. It is removed by session_destroy(), when SIGINT, SIGTERM, SIGHUP or SIGPIPE ends hence, and
 * by a guard (guard.h) when hence is killed; what is left when both were killed is removed when the
 * next session starts.
 */
#ifndef HENCE_RUN_SESSION_H
#define HENCE_RUN_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "run/guard.h"
#include "runtime/protocol.h"

struct session {
	char *folder;        /* the directory that it was made in */
	char *path;          /* the session directory; what HENCE_SESSION says */
	uint64_t tape_limit; /* as asked for, or less if there is less space */
	uint64_t space;      /* that all tapes together may take */
	int lock;            /* a locked file: says that we live */
	struct guard guard;  /* removes the directory when we are killed */
};

struct session_options {
	uint64_t tape_limit; /* bytes of stream in one tape */
	const void *table;   /* of outside functions; NULL: none */
	size_t table_size;
};

/* Makes the directory and its control file, in $HENCE_TAPE_DIR; without that in /dev/shm, $TMPDIR
   or /tmp, whichever is first to have enough space. Caller frees with session_destroy(). */
MUST_USE struct hence_error *session_create(const struct session_options *options,
                                            struct session *out);

/* Removes the directory with all that is in it. */
void session_destroy(struct session *session);

/* Prepares for a second run with the same path: tapes are renamed from N.tape to N.first, the count
   of tapes begins again, and functions whose answers vary will answer as in the first run. */
MUST_USE struct hence_error *session_repeat(struct session *session);

/* From now on a tape may hold that many bytes, as far as there is space. */
MUST_USE struct hence_error *session_limit(struct session *session, uint64_t tape_limit);

/* Reads the head of the control file. */
MUST_USE struct hence_error *session_control(const struct session *session,
                                             struct hence_control *out);

#endif
