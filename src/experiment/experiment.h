/*
 * Experiments: a recorded run of the program once more, with something changed on the way.
 *
 * A pool is for one run: a program and its input. Its workers (src/trial) run the program confined, each
 * in a scratch directory of its own. The program runs to a point once, is kept there as a snapshot
 * (a process that sleeps), and each experiment at that point is a fork of it. Snapshots are kept
 * at points that were asked for within a budget of memory; where the program must not be forked
 * (points_last_fork()) experiments run from the start of the program, at full speed.
 *
 * All runs of a pool, the recorded one too, have the same addresses: no randomisation, the same
 * arguments, environment and mappings. So a change is bytes at an address, as the decoded recording
 * has it. Answers of time, random and the like are those of the recording as long as the calls agree;
 * process ids are each run's own.
 *
 * An experiment is judged by who asked for it (oracle.h, failure/symptom.h).
 */
#ifndef HENCE_EXPERIMENT_EXPERIMENT_H
#define HENCE_EXPERIMENT_EXPERIMENT_H

#include "experiment/point.h"
#include "trial/trial.h"

enum change_kind {
	CHANGE_BYTES,   /* memory gets these bytes */
	CHANGE_NEW,     /* a block of `size` bytes is allocated with malloc(): new object number N,
	                   counted from 1 within the experiment, all zero */
	CHANGE_POINTER, /* memory gets the address of new object `target`, plus `addend` */
};

/* Where: an address, or when `object` is not 0, an offset in that new object. */
struct change {
	enum change_kind kind;
	uint32_t object;
	uint64_t address;
	uint32_t size;
	const uint8_t *bytes; /* CHANGE_BYTES */
	const uint8_t *mask;  /* bits that are changed (bit-fields); NULL: all */
	uint32_t target;
	int64_t addend;
};

struct reading {
	uint64_t address;
	uint32_t size;
	/* A pointer is at the address: what it leads to is read, so far behind. */
	bool through;
	int64_t offset;
};

enum force {
	FORCE_NOTHING,
	FORCE_BRANCH, /* the branch that ends the statement goes to successor `outcome` of its block
	                 (an index as in struct plan_block; of a switch too) */
	FORCE_SWITCHED, /* a conditional branch goes the other way than it would */
	FORCE_RESULT,   /* the call of an outside function that ends the statement gives `value` */
};

/* What happens at one point. */
struct stop {
	struct site site;
	uint64_t
		count; /* Of the first stop: since the program began. Of others: since the first stop,
	                   the passing of its own site there not counted */
	const struct change *changes;
	uint32_t change_count;
	const struct reading *readings; /* after the changes */
	uint32_t reading_count;
	enum force force;
	uint32_t outcome;
	uint64_t value;
	bool tell_outcome; /* the statement ends with a branch or switch: which way does it go? */
};

/*
 * Guard rails: from the first stop on, every branch and switch goes as a list says, one entry after the
 * other; when it ends, the program is on its own. A branch that is not the one which the entry is for
 * ends the experiment: off the rails. Branches of signal handlers are no exception: a handler that runs
 * at another time leads off the rails.
 */
enum rail_kind {
	RAIL_FORCE,    /* it goes that way */
	RAIL_EVALUATE, /* as the program says; if that is `way`, go on with the next entry; if it is
	                  `other`, behind `skip` entries; else off the rails */
	RAIL_SKIP,     /* no branch: go on behind `skip` entries */
	RAIL_CHOOSE,   /* no branch: go on with the next entry if that is for the branch that comes,
	                  else behind `skip` entries */
};

struct rail {
	uint8_t kind;
	struct site site;    /* whose branch it is; the ordinal of the statement does not matter */
	uint32_t way, other; /* successors of its block: plan_way() */
	uint32_t skip;
};

/*
 * A branch that goes another way in all runs of a pool, the recorded one and experiments: the run is
 * patched there. As struct point has it, in the run without the patch; up to there both are the same.
 */
struct patch {
	struct site site;
	uint64_t count, time;
	uint32_t outcome; /* the successor of its block that it goes to */
};

/* Memory that must have these bytes when the first stop is reached, before anything is changed. */
struct known {
	uint64_t address;
	uint32_t size;
	const uint8_t *bytes;
};

struct experiment {
	uint64_t time; /* of the first stop, in the recorded run */
	bool once;     /* no other will begin there: the program is not kept at that point */
	const struct stop *stops;
	uint32_t stop_count; /* at least 1 */
	bool on_rails;       /* of the pool, from this entry on: */
	uint32_t rail;
	bool ends; /* the program need not go on when all stops were reached, and all outcomes told */
	const struct known *known; /* NULL: nothing is checked */
	uint32_t known_count;
};

/* What was found at a stop. */
struct stopped {
	bool reached;
	uint64_t stack; /* the stack pointer there */
	uint64_t
		printed; /* bytes written to standard output so far, with those in stdio's buffer */
	struct str
		bytes; /* of all its readings, one after the other; zero where there is no memory */
	bool has_outcome; /* it was asked for, and the branch was executed */
	uint32_t outcome; /* the successor it went to, after a force: as plan_way() has it */
};

struct experiment_result {
	struct trial_result run; /* output is the whole output, from the beginning of the program */
	VEC(struct stopped) stops;
	bool off_rails;  /* it was ended there */
	bool unreadable; /* a change was to memory that the program does not have, or cannot write:
	                    it was ended there, and nothing is known */
	/* The run went another way than the recorded one before anything was changed: it did not
	   reach the first stop, or memory was not as known. Nothing else is of use then. */
	bool diverged;
};

void experiment_result_deinit(struct experiment_result *result);

struct experiments;

/* Must live as long as the pool. */
struct experiments_options {
	struct trials_options trials; /* other and plain are not used, test only with `tests` */
	uint64_t memory;              /* for snapshots, bytes; 0: a quarter of what is available */
	/* All runs of the pool are patched so; NULL: none is. `patch_from` is a recording of the run
	   without it, for experiments_record(). */
	const struct patch *patch;
	const struct recording *patch_from;
	/* Runs are judged by the user's test (trials.test), which is run instead of the program. Then
	   experiments are one stop that forces a branch, and nothing else; nothing is recorded, and
	   experiments_use() is given a run of another pool. */
	bool tests;
};

/* Makes the pool and runs the input once or twice, to know where and how long it runs. Caller frees
   with experiments_destroy(). *out is NULL when `stop` ended it. */
MUST_USE struct hence_error *experiments_create(const struct experiments_options *options,
                                                struct experiments **out);
void experiments_destroy(struct experiments *experiments);

/* Runs the input once, recorded into a session directory, as experiments will run: comes first, and
   once. `run` describes the tape afterwards; it must live as long as the pool, and so must the
   session, which experiments only read. An error says so when a patched run does not come to its branch. */
MUST_USE struct hence_error *experiments_record(struct experiments *experiments,
                                                const char *session, struct trial_result *out);
MUST_USE struct hence_error *experiments_use(struct experiments *experiments,
                                             const struct recording *run);

/* The rails for all experiments from now on, in place of earlier ones: none is under way. They are copied.
   The error says that there are too many. */
MUST_USE struct hence_error *experiments_set_rails(struct experiments *experiments,
                                                   const struct rail *rails, uint32_t count);

/* As trials_*() */
bool experiments_ready(const struct experiments *experiments);
MUST_USE struct hence_error *experiments_start(struct experiments *experiments,
                                               const struct experiment *experiment, uint64_t id);
MUST_USE struct hence_error *experiments_wait(struct experiments *experiments, uint64_t *id,
                                              struct experiment_result *out);
MUST_USE struct hence_error *experiments_poll(struct experiments *experiments, double seconds,
                                              bool *ended);
void experiments_cancel(struct experiments *experiments, uint64_t id);

/* One alone: start and wait. */
MUST_USE struct hence_error *experiments_run(struct experiments *experiments,
                                             const struct experiment *experiment,
                                             struct experiment_result *out);

/* Do its runs need a copy of the working directory: is there input in it, or does the program write to it? */
bool experiments_copied(const struct experiments *experiments);

/* Something that the user should know (not confined, no copy of the directory); NULL: nothing. */
const char *experiments_note(const struct experiments *experiments);

struct experiments_counts {
	uint64_t experiments;
	uint64_t snapshots; /* that were made, by all workers */
	uint64_t executed;  /* experiments that ran from the start of the program */
};
struct experiments_counts experiments_counts(const struct experiments *experiments);

#endif
