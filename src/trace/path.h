/*
 * The path of a recorded run: which statements it executed, in order, and which way its branches went;
 * without values. The first question walks the tape, and what was seen is kept with the recording unless
 * the run is very long (more than eight million events); then each question walks again.
 *
 * Time is counted in statements, as execution.h does. A call ends its statement when it begins.
 */
#ifndef HENCE_TRACE_PATH_H
#define HENCE_TRACE_PATH_H

#include "trace/recording.h"

/* A statement of the program. */
struct site {
	uint32_t module; /* as loaded in this run: struct program numbers it */
	uint32_t function, block,
		statement; /* in its plan; `statement` is an ordinal in the block */
};

#define PATH_NO_WAY UINT32_MAX

/* ------ events ------ */

enum path_event_kind {
	PATH_BLOCK,      /* the function on top enters block `at` */
	PATH_STATEMENTS, /* it has executed the first `at` statements of the block */
	PATH_CALL,       /* and makes the call that is record `at` */
	PATH_CALLBACK,   /* outside code calls a function */
	PATH_HANDLER,    /* a signal handler interrupts the function on top */
	PATH_RETURN,     /* what is on top, a function or outside code, returns */
	PATH_UNWOUND,    /* all but the first `at` of what is under way is gone */
	PATH_BACK,       /* record `at` of the function on top is about to return once more, */
	PATH_RESUMED,    /* and does so */
	PATH_DYING,      /* the next statement of the function on top is what the run dies of */
	PATH_END,        /* of the run; comes again and again */
	/* Of no matter for the order of what is executed: */
	PATH_BRANCH, /* the branch or switch at the end of the block was executed */
	PATH_STOOD,  /* the tape ends here; what follows is known from the place of death */
};

struct path_event {
	uint32_t kind : 4;     /* enum path_event_kind */
	uint32_t counts : 1;   /* PATH_CALL, PATH_BRANCH: it is a statement */
	uint32_t outside : 1;  /* PATH_CALL: of outside code, */
	uint32_t indirect : 1; /* through a pointer */
	uint32_t callee : 25;  /* PATH_CALL, PATH_CALLBACK: its number */
	uint32_t at;
};

/* What is called: a function, or outside code. */
struct path_callee {
	const struct plan_function *plan; /* NULL: outside code */
	struct program_place place;       /* of a function */
	const char *name;                 /* of outside code; "?": nobody named it */
};

struct path_reader;

/* The events of a run, from its beginning. The recording must outlive it. Caller frees with path_close(). */
struct hence_error *path_open(const struct recording *run, struct path_reader **out)
	__attribute__((warn_unused_result));
void path_close(struct path_reader *reader);

/* The next events; there is at least one. Valid until the next call. */
struct hence_error *path_next(struct path_reader *reader, const struct path_event **events,
                              uint32_t *count) __attribute__((warn_unused_result));

/* What was called in the events that were told, by number: functions in the order in which they were first entered. Valid until
   the next path_next(). */
const struct path_callee *path_callees(const struct path_reader *reader, uint32_t *count);

/* Valid as long as the reader. */
const struct program *path_reader_program(const struct path_reader *reader);

/* The block of a record. */
uint32_t path_block_of(const struct plan_function *plan, uint32_t record);

/* ------ visits ------ */

struct path;

/* Empty, for a recording that is asked more than once. Caller frees with path_destroy(), after all that asks. */
struct path *path_create(void);
void path_destroy(struct path *path);

/* Where a visit ended. */
struct path_end {
	bool over;                     /* the run is; else it was enough */
	const struct program *program; /* valid while it is told */
	/* Of a run that is over: */
	uint64_t statements; /* that ended */
	bool standing;       /* the program was in its own code: */
	struct site at;      /* before this statement, or behind the last of the block */
};

struct path_visitor {
	void *context;
	/* Statements from that of `site` up to, but not with, `to` of its block end; the time is that before them.
	   False: enough. May be NULL. */
	bool (*passed)(void *context, const struct site *site, uint32_t to, uint64_t time);
	/* The branch or switch that ends the statement `site` was executed, the first being number 0; `loose`: it has no place
	   in the source and is no statement. Which way it went is told by `went`, later, and also of the last one that was wanted; never, if the run
	   ended before. False: enough. May be NULL, both. */
	bool (*branched)(void *context, const struct site *site, bool loose, uint64_t time);
	void (*went)(void *context, uint32_t branch, uint32_t way);
	/* A call of outside code begins, as the statement of this time, for the first time at this place in the code.
	   False: enough. May be NULL. */
	bool (*called)(void *context, const char *name, LLVMValueRef call, uint64_t time);
	/* All is told. May be NULL. */
	void (*ended)(void *context, const struct path_end *end);
};

/* Goes along the path of a run. */
MUST_USE struct hence_error *path_visit(const struct recording *run,
                                        const struct path_visitor *visitor);

/* Calls `passed`, as of path_visitor, for what was passed of one block: that of `site`. *kept: is the path kept? Else nothing is told. */
MUST_USE struct hence_error *path_visit_block(const struct recording *run, const struct site *site,
                                              bool (*passed)(void *context, const struct site *site,
                                                             uint32_t to, uint64_t time),
                                              void *context, bool *kept);

/* The program as the run loaded it, and the statements that it executed. The program is valid as long as the recording's
   path; NULL: that is not kept. */
MUST_USE struct hence_error *path_program(const struct recording *run, const struct program **out,
                                          uint64_t *statements);

/* Calls `tell` for each record of a plan that the run passed, in no order; `entered`: its function was entered, but the record, its
   first, was not passed. *out is the walk at the end of the run, valid as long as the path. NULL: that is not kept, and nothing
   is told. */
MUST_USE struct hence_error *
path_records(const struct recording *run,
             void (*tell)(void *context, const struct plan_record *record, bool entered),
             void *context, struct walk **out);

/* How long the walk took, in seconds; 0: the path is not kept. */
double path_seconds(const struct recording *run);

#endif
