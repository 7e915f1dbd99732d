/*
 * The path of a recorded run: which statements it executed, in order, and which way its branches went;
 * without values. The first question walks the tape, and what was seen is kept with the recording unless the
 * run is very long; then each question walks again.
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
	   in the source and is no statement. Which way it went is told by `went`, at once or later; never, if the run
	   ended before. False: enough. May be NULL, both. */
	bool (*branched)(void *context, const struct site *site, bool loose, uint64_t time);
	void (*went)(void *context, uint32_t branch, uint32_t way);
	/* A call of outside code begins, as the statement of this time; each call in the code at least the first time,
	   before all else or when it happens. False: enough. May be NULL. */
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
