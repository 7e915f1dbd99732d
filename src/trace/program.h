/*
 * The program that a tape is of: its modules as they were loaded, each with its IR and plan, and
 * what lies at which address.
 */
#ifndef HENCE_TRACE_PROGRAM_H
#define HENCE_TRACE_PROGRAM_H

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/plan.h"
#include "runtime/protocol.h"
#include "trace/modules.h"

/* A function of a module, or a label in it. */
struct program_place {
	uint32_t module;
	uint32_t function;
	uint32_t block;
};

MAP_DEFINE_U64(address_map, struct program_place);
MAP_DEFINE_U64(name_at_map, const char *);
MAP_DEFINE_U64(value_map, uint64_t);

struct program_module {
	char *path;              /* of the ELF file */
	uint8_t hash[16];        /* of its IR */
	const struct plan *plan; /* NULL: not loaded */
	uint64_t *addresses;     /* functions, globals, labels, imports */
	uint32_t imports;        /* index of the first import's address */
	struct value_map values; /* addresses by LLVM value: see program_index() */
};

struct program {
	struct modules *source;
	VEC(struct program_module) modules; /* by number; plan is NULL where none was loaded */
	struct address_map functions;       /* by address */
	struct address_map low_functions;   /* by the low half of the address */
	struct address_map low_labels;
	struct name_at_map outside; /* names of imports by address */
};

/* Starts without modules; takes them from `modules`, which must outlive it. Caller frees with
   program_destroy(). */
struct program *program_create(struct modules *modules);
void program_destroy(struct program *program);

/* Loads what a HENCE_MODULE record of `size` bytes names. A module that is loaded already under the
   same number and IR stays as it is (a forked child's tape is read after its parent's). */
MUST_USE struct hence_error *program_load(struct program *program, const uint8_t *record,
                                          uint32_t size);

/* Fills the module's `values`: addresses of functions, globals and labelled blocks. */
void program_index(struct program *program, uint32_t module);

/* The plan of a function. */
const struct plan_function *program_function(const struct program *program,
                                             struct program_place place);

/* The function with this address; NULL: it is not instrumented. */
const struct program_place *program_at(const struct program *program, uint64_t address);

#endif
