/* The inside of a pool of trials (trial.h): shared by trial.c and experiment/experiment.c. */
#ifndef HENCE_TRIAL_POOL_H
#define HENCE_TRIAL_POOL_H

#include "trial/trial_scratch.h"
#include "trial/trial.h"
#include "trial/worker.h"

enum slot_state {
	SLOT_IDLE,
	SLOT_BUSY,
	SLOT_CANCELLED, /* its answer is still to come, and is thrown away */
};

/* One trial at a time: the program's worker, and one for the other build if there is one. */
struct slot {
	struct worker workers[2];
	enum slot_state state;
	bool answered[2];
	uint64_t id;
	struct trial_result result;
	struct str extra; /* answer to an experiment */
};

struct trials {
	const struct trials_options *options;
	struct trial_scratch scratch;
	char *program, *other;     /* absolute paths; `other` is NULL when there is none */
	char *line;                /* of the user's test; NULL: none */
	char *folder;              /* the user's working directory */
	char *origin;              /* its copy; NULL: trials run in place */
	const char *session;       /* of a recorded run; NULL: none */
	enum worker_kind kind;     /* of workers that are opened */
	uint32_t tape;             /* WORKER_EXPERIMENTS: of the run */
	uint64_t budget;           /* of each of them for its snapshots */
	struct hence_rails *rails; /* WORKER_EXPERIMENTS: as in struct worker_options */
	const struct str *orders;  /* WORKER_RECORDS: as in struct worker_options */
	char *note;
	bool watched;    /* the first run is */
	double patience; /* of the first run; 0: it has as much time as there is */
	double timeout;
	uint64_t memory;
	uint64_t work;  /* that a trial of the program may do; 0: any */
	bool hangs;     /* the failing run was stopped: limits are such that it is stopped again */
	bool counted;   /* the program was built with hence cc and counts its work */
	bool made;      /* the pool is ready */
	bool served;    /* trials are forked */
	bool stopped;   /* somebody wanted so, before the pool was made */
	bool untraced;  /* a leak checker in the program does not work when it is traced */
	uint32_t count; /* of slots */
	uint32_t next;  /* number for the next worker's part */
	VEC(struct slot) slots;
	uint64_t all, forked;
};

/* Is nobody waiting for the pool any more? To be asked with a struct trials while it is made. */
bool trials_stops(void *trials);

/* Makes a pool when the failing input has run for the first time; if all is known from another pool it is not run, and *first is
   empty. It has no workers, or if trials are forked one. Else as trials_create(). */
struct hence_error *trials_make(const struct trials_options *options, struct trials **out,
                                struct trial_result *first);

/* Gives a job to a free worker: the bytes of an input or an experiment. */
MUST_USE struct hence_error *trials_give(struct trials *trials, const struct str *job, uint64_t id);

/* As trials_wait(), with the answer to an experiment. */
MUST_USE struct hence_error *trials_take(struct trials *trials, uint64_t *id,
                                         struct trial_result *out, struct str *extra);

/* Starts the workers of a slot. */
MUST_USE struct hence_error *trials_open_slot(struct trials *trials);

/* Ends those of all slots. */
void trials_close_slots(struct trials *trials);

#endif
