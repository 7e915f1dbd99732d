/*
 * What alignment knows of functions: where the ways out of each block meet again, and which records are
 * statements. Functions of two runs of one program are the same object, whatever numbers their modules
 * have in each run: modules are the same when their IR has the same hash. Of two versions of a program
 * functions are the same object, too, if they have the same blocks and statements; functions that were
 * changed know which of their statements are in the other one.
 */
#ifndef HENCE_ALIGN_FUNCTIONS_H
#define HENCE_ALIGN_FUNCTIONS_H

#include "align/versions.h"
#include "base/map.h"
#include "trace/program.h"

struct align_function {
	const struct plan_function *plan; /* of the run that had it first */
	uint32_t *until;                  /* of each block where its ways meet: control_regions() */
	bool *branches; /* does the block end in a choice (that is in both versions)? */
	bool *ends;     /* of each record: does its instruction end a statement? */
	/* Of a function that was changed: */
	const struct align_function *other; /* NULL: not entered yet */
	const uint32_t *matches;            /* of each statement: version_pair; NULL: not changed */
	uint32_t *first;                    /* number of the first statement of each block */
	uint32_t *where;                    /* block of each statement */
};

struct align_module {
	uint8_t hash[16];
	const struct plan *plan;           /* of two with the same hash one may be edited */
	bool taken[2];                     /* by a module of that run */
	struct align_function **functions; /* of each number; NULL: not entered yet */
};

MAP_DEFINE_U64(align_function_map, struct align_function *);

struct align_functions {
	const struct versions *versions; /* NULL: the runs are of one program */
	VEC(struct align_function *) all;
	struct align_function_map
		paired[2]; /* functions that are in both versions, by their pair */
	VEC(struct align_module *) modules;
	VEC(struct align_module *) numbered[2]; /* of each run, by the number there */
};

void align_functions_deinit(struct align_functions *functions);

/* A function of run 0 or 1. Valid until align_functions_deinit(). */
const struct align_function *align_function(struct align_functions *functions, unsigned run,
                                            const struct program *program,
                                            struct program_place place);

#endif
