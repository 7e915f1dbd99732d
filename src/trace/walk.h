/*
 * Walks a tape beside the program's IR: which blocks were executed, in which calls. No values are
 * computed here. The walk is a machine that is stepped; it never believes the tape: whatever does
 * not fit is an error that names the position. A damaged tape is an internal error, since we wrote
 * it; a program's file that is gone or has changed is the user's.
 *
 * A forked child's tape continues its parent's: the parent's part up to the fork is walked first,
 * without being counted.
 */
#ifndef HENCE_TRACE_WALK_H
#define HENCE_TRACE_WALK_H

#include "base/error.h"
#include "actions/effects.h"
#include "trace/program.h"
#include "trace/tape.h"

/* A source position; strings valid as long as the walk. */
struct walk_place {
	const char *function;
	const char *file; /* NULL: none known */
	unsigned line, column;
	const char *outside; /* the outside function that is being called there; NULL: none */
};

/* How often an outside function was called. */
struct walk_outside {
	const char *name; /* "?" when nobody named it */
	uint64_t calls;
};

struct walk_counts {
	uint64_t functions;          /* entries */
	uint64_t distinct_functions; /* that were entered at least once */
	uint64_t blocks;
	uint64_t statements;
	uint64_t instructions;
	uint64_t branches; /* conditional ones, switches and computed gotos */
	uint64_t calls;    /* by instrumented code, of any function */
	uint64_t outside;  /* of those, calls of outside functions */
};

/* An outside call that begins or returns. Valid as long as it is being told. */
struct walk_call {
	const char *name; /* "?" when nobody named it */
	uint64_t address;
	bool returned;          /* false: it begins */
	uint32_t block, record; /* of the call, in the plan of the function that makes it */
	bool ancestor;          /* made before the fork, by a process that this one comes from */
	const uint8_t *result;  /* what it returned; NULL: nothing, or nothing yet */
	uint32_t result_size;
	struct effects effects;
};

struct walk;

/* Begins a walk of a tape; `folder` holds the tapes of the session, for a fork's parent; `modules`
   must outlive the walk. Caller frees with walk_destroy(). */
MUST_USE struct hence_error *walk_create(struct modules *modules, const char *folder,
                                         uint32_t number, struct walk **out);
void walk_destroy(struct walk *walk);

/* What was done with tapes by this process and all its children. */
struct walk_work {
	uint64_t walks;   /* from the beginning of a tape, without values */
	uint64_t decodes; /* the same with values (execution.h) */
	uint64_t resumed; /* parts that were decoded once more (history.h) */
};

struct walk_work *walk_work(void);

/* A second walk that stands where `of` stands, between two steps; nobody follows it yet. It uses the tape and the program of
   `of`, which must outlive it. Caller frees with walk_destroy(). */
struct walk *walk_resume(const struct walk *of);

/* Calls `hear` for each outside call, when it begins and when it returns; walk_where(walk, 0, ...)
   is its place then. If nobody listens, effects are passed over unread. */
void walk_listen(struct walk *walk, void (*hear)(void *context, const struct walk_call *call),
                 void *context);

/* Follows a walk step by step. Each is called when the walk has just taken the step; outside calls
   are told to who listens. */
struct walk_follower {
	void *context;
	void (*loaded)(void *context, uint32_t module);
	/* Memory as the program was given it. */
	void (*given)(void *context, struct effects effects);
	/* A function is entered, by the call on top, or from outside: with `size` bytes of
	   arguments then. `byvals` are addresses of structures passed by value. */
	void (*entered)(void *context, struct program_place place, uint64_t frame,
	                const uint8_t *byvals, const uint8_t *arguments, uint32_t size);
	/* The function on top makes the call `record`; all before it is executed. */
	void (*reached)(void *context, uint32_t block, const struct plan_record *record);
	/* The function on top has executed its instructions up to and with that of `record`; the
	   bytes of records that were not told yet begin at `bytes`. */
	void (*executed)(void *context, uint32_t block, const struct plan_record *record,
	                 const uint8_t *bytes);
	/* The function on top has returned. */
	void (*left)(void *context);
	/* A signal handler ran about here: a few instructions earlier or later. */
	void (*interrupted)(void *context);
	/* Functions above this depth of the stack are gone. */
	void (*unwound)(void *context, uint32_t depth);
	/* That call of the function on top is about to return once more. */
	void (*resumed)(void *context, uint32_t block, const struct plan_record *record);
};

/* `follower` must outlive the walk. */
void walk_follow(struct walk *walk, const struct walk_follower *follower);

/* Who follows may end the walk: it stops before the next step. */
void walk_halt(struct walk *walk);
bool walk_is_halted(const struct walk *walk);

/* Walks on until walk_halt() or the end. */
MUST_USE struct hence_error *walk_on(struct walk *walk, bool *ended);

/* How many functions, and calls of outside code, are under way. */
uint32_t walk_depth(const struct walk *walk);

/* The block that the function on top is in; UINT32_MAX: the program is in outside code. */
uint32_t walk_block(const struct walk *walk);

const struct program *walk_program(const struct walk *walk);

/* Walks until the end of the tape. Where the program died at a known place of its own code, that
   tells which of the last blocks it had entered, since some leave no trace on the tape; line 0: the
   place is not known. NULL: it did not die of an instruction. */
MUST_USE struct hence_error *walk_to_end(struct walk *walk, const struct walk_place *death);

/* The same, but asks every few hundred kilobytes of tape whether to stop; then the walk stays where it is. */
MUST_USE struct hence_error *walk_to_end_unless(struct walk *walk, const struct walk_place *death,
                                                bool (*stop)(void *context), void *context,
                                                bool *stopped);

/*
 * A limit for every walk of this process, of decoders as well: `over` is asked every few hundred kilobytes of tape, and
 * when it says so the walk ends with an error. So no phase can miss the end of its time. NULL: none.
 */
struct walk_limit {
	bool (*over)(void *context);
	void *context;
};

/* Returns the one before, which a phase puts back at its end. */
struct walk_limit walk_set_limit(struct walk_limit limit);

/* Walks until the records at this position of the file have been passed. */
MUST_USE struct hence_error *walk_to(struct walk *walk, uint64_t position);

const struct walk_counts *walk_counts(const struct walk *walk);
const struct tape_file *walk_tape(const struct walk *walk);

/* The innermost instrumented function under way, 0, and its callers, 1, 2, ... False: no more. */
bool walk_where(const struct walk *walk, uint32_t depth, struct walk_place *place);

/* Outside functions that were called, most often first. Caller frees *out with free(). */
uint32_t walk_outside(const struct walk *walk, struct walk_outside **out);

#endif
