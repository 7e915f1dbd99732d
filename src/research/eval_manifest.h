/* The manifest of an evaluation: programs whose faults are known, and how they fail. docs/eval.md and docs/eval.schema.json describe the file. */
#ifndef HENCE_RESEARCH_EVAL_MANIFEST_H
#define HENCE_RESEARCH_EVAL_MANIFEST_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#define EVAL_VERSION 1

struct eval_place {
	const char *file;
	unsigned line;
};

/* One fault; it is found when one of its places is, give or take `near` lines. */
struct eval_fault {
	VEC(struct eval_place) places;
	unsigned near;
};

/* How to get a program. */
struct eval_program {
	const char *folder;  /* absolute */
	const char *build;   /* a command of the shell; NULL: the program is there */
	const char *program; /* its path in the folder, or in the copy of it in which it is built */
	bool in_place;       /* build in the folder itself */
};

struct eval_texts {
	VEC(const char *) list;
};

/* Another command of the program: one with which it passes, or one that only judges repairs. */
struct eval_command {
	bool has_arguments;
	struct eval_texts arguments;
	const char *input; /* file for standard input; NULL: as in the failing one */
};

struct eval_commands {
	VEC(struct eval_command) list;
};

/* Further options of hence for a method. */
struct eval_extra {
	const char *method; /* or 'all' */
	struct eval_texts words;
};

struct eval_case {
	const char *name;
	struct eval_program faulty;
	struct eval_program corrected; /* no program: there is none */
	struct eval_texts arguments, files;
	const char *input;
	struct eval_commands passing;
	struct eval_commands
		held_out; /* what hence is not told: to see whether a repair is right */
	const char *expected, *expected_text; /* a file; the text itself; NULL: neither */
	double timeout;                       /* seconds; 0: as hence has it */
	VEC(struct eval_extra) options;
	VEC(struct eval_fault) faults;
};

struct eval_manifest {
	struct arena arena;
	VEC(struct eval_case) cases;
};

/* Reads a manifest. The error names the case and the key. Caller frees with eval_manifest_deinit(). */
MUST_USE struct hence_error *eval_manifest_read(const char *path, struct eval_manifest *out);
void eval_manifest_deinit(struct eval_manifest *manifest);

#endif
