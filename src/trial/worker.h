/*
 * A worker: a process of ours that runs one trial after the other, and tells over a socket how they
 * went (trial_bytes.h). It is the leader of a session of its own, so a terminal's signals reach
 * neither it nor its trials. When hence is gone, however that came, the worker ends what it runs,
 * removes its part of the scratch directory and ends too.
 */
#ifndef HENCE_TRIAL_WORKER_H
#define HENCE_TRIAL_WORKER_H

#include <sys/types.h>

#include "trial/trial_scratch.h"
#include "trial/trial.h"
#include "trial/worker_room.h"

/* What a worker is for. */
enum worker_kind {
	WORKER_TRIALS,
	WORKER_RECORDS,     /* one run, as experiments will go, into room.session */
	WORKER_EXPERIMENTS, /* of the run in room.session */
	WORKER_TESTS, /* the user's test, on the input of the room; jobs are orders (runtime/orders.h) for
	                 the program that it runs, and come back with the result */
};

struct worker_options {
	struct room_options room;
	enum worker_kind kind;
	uint32_t tape;   /* WORKER_EXPERIMENTS: of the run */
	uint64_t budget; /* bytes of memory for its snapshots */
	/* The rails that experiments may ask for: memory that the worker shares with who gives it jobs. */
	const struct hence_rails *rails;
	/* WORKER_RECORDS: how the run is patched (runtime/orders.h); they come back with its result.
	   NULL: it is not */
	const struct str *orders;
	const char *image; /* of edited code, for the program; NULL: none */
	bool unconfined;
	const struct trial_scratch *scratch;
	bool watched;    /* the same */
	double patience; /* of exec_run() */
	double timeout;  /* seconds for a trial */
	uint64_t memory; /* bytes of address space; 0: no limit, and what it took is measured */
	uint64_t work;   /* after which a trial is cut; 0: no limit */
	bool counted;    /* the program was built with hence cc, so that it can tell its work */
	bool plain;    /* always execute the program; else fork it from a server if it can be one */
	bool untraced; /* do not trace the program: crashes have no place */
	/* Asked while it starts; true: nobody wants it any more. */
	bool (*stop)(void *context);
	void *context;
};

struct worker {
	pid_t pid;
	int socket;
};

/* Starts one, and waits until it is ready; an error if `stop` says so meanwhile. The options must
   live until then. Caller ends it with worker_stop(). */
MUST_USE struct hence_error *worker_start(const struct worker_options *options, struct worker *out);

/* Ends it and what it runs. */
void worker_stop(struct worker *worker);

/* What a worker's MESSAGE_ERROR says. */
MUST_USE struct hence_error *worker_error(const struct str *message);

/* For when its socket is closed: how it ended. */
MUST_USE struct hence_error *worker_death(struct worker *worker);

#endif
