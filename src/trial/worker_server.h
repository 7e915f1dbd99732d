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
	bool experiments;  /* it waits at its start for experiments */
	uint32_t tape;     /* of the recorded run, then */
};

/* Starts the program as a server, if it can be one. The members but `server` are set. */
MUST_USE struct hence_error *worker_server_start(struct worker_server *self);
void worker_server_stop(struct worker_server *self);

/* Runs a trial. *done is false when the server was given up: execute the program instead. The
   outcome is OUTCOME_UNKNOWN when it was cancelled. */
MUST_USE struct hence_error *worker_server_try(struct worker_server *self,
                                               const struct input *input,
                                               const struct server_limits *limits, bool *done,
                                               struct trial_result *out);

/*
 * The experiments of a worker. It keeps snapshots of the program (server.h) at points where
 * experiments were asked for, as many as its budget of memory has room for; those that were not
 * used for the longest time go first. An experiment at a point without one has it made, if it may.
 */

/* What an experiment's message begins with; its orders (runtime/orders.h) follow. */
struct worker_point {
	uint64_t site;     /* names the site of the first stop: its first address */
	uint64_t count;    /* passings of it since the program began, this one included */
	uint32_t snapshot; /* 1: the program may be forked there */
	uint32_t unused;
};

struct snapshot {
	struct server *server;
	uint64_t site, count;
	uint64_t memory;
	uint64_t used; /* when, as a count of experiments */
};

struct worker_points {
	struct worker_server server; /* the program at its start */
	VEC(struct snapshot) snapshots;
	const struct hence_rails *rails; /* as in struct worker_options */
	uint64_t budget;                 /* bytes for snapshots */
	uint64_t used;                   /* by them */
	uint64_t clock;
};

/* What is told about it besides the result, in front of the orders with their answers. */
struct worker_answer {
	uint64_t forked;    /* from a snapshot, not from the start of the program */
	uint64_t snapshots; /* that were made for it */
};

/* Starts the program. The members of `server` but the server itself are set, and the budget. An error
   says why experiments are not possible. */
MUST_USE struct hence_error *worker_points_start(struct worker_points *self);
void worker_points_stop(struct worker_points *self);

/* Makes an experiment: `message` is as above. `answer` gets a struct worker_answer and the orders with
   their answers. The outcome is OUTCOME_UNKNOWN when it was cancelled. */
MUST_USE struct hence_error *worker_points_try(struct worker_points *self,
                                               const struct str *message,
                                               const struct server_limits *limits,
                                               struct str *answer, struct trial_result *out);

#endif
