/*
 * What alignment knows of functions: where the ways out of each block meet again, and which records are
 * statements. Functions of two runs of one program are the same object, whatever numbers their modules
 * have in each run: modules are the same when their IR has the same hash.
 */
#ifndef HENCE_ALIGN_FUNCTIONS_H
#define HENCE_ALIGN_FUNCTIONS_H

#include "trace/program.h"

struct align_function {
	const struct plan_function *plan; /* of the run that had it first */
	uint32_t *until;                  /* of each block its post-dominator: control.h */
	bool *branches;                   /* does the block end in a choice? */
	bool *ends; /* of each record: does its instruction end a statement? */
};

struct align_module {
	uint8_t hash[16];
	bool taken[2]; /* by a module of that run */
	struct align_function **functions;
	uint32_t count;
};

struct align_functions {
	VEC(struct align_module *) modules;
	VEC(struct align_module *) numbered[2]; /* of each run, by the number there */
};

void align_functions_deinit(struct align_functions *functions);

/* A function of run 0 or 1. Valid until align_functions_deinit(). */
const struct align_function *align_function(struct align_functions *functions, unsigned run,
                                            const struct program *program,
                                            struct program_place place);

#endif
