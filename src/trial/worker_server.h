/*
 * The fork server of a worker (server.h): kept alive, started again when it is gone, given up when
 * the program cannot be one.
 */
#ifndef HENCE_TRIAL_WORKER_SERVER_H
#define HENCE_TRIAL_WORKER_SERVER_H

#include <signal.h>

#include "trial/confine.h"
#include "trial/server.h"
#include "trial/worker_room.h"

struct worker_server {
	struct server *server; /* NULL: none; trials are executed */
	struct room *room;
	const char *program;
	const struct confine *confine;
	const sigset_t *mask; /* that the program is started with */
	double seconds;       /* that it may take to start up */
	int cancel;           /* a descriptor: when it can be read, the start-up ends */
	uint32_t deaths;
	const char *why;   /* there is no server */
	const char *image; /* of edited code; NULL: none */
	bool experiments;  /* it waits at its start, for worker_points.h */
	uint32_t tape;     /* of the recorded run, then */
};

/* Starts the program as a server, if it can be one. The members but `server` are set. */
struct hence_error *worker_server_start(struct worker_server *self);
void worker_server_stop(struct worker_server *self);

/* Runs a trial. *done is false when the server was given up: execute the program instead. The
   outcome is OUTCOME_UNKNOWN when it was cancelled. */
struct hence_error *worker_server_try(struct worker_server *self, const struct input *input,
                                      const struct server_limits *limits, bool *done,
                                      struct trial_result *out);

#endif
