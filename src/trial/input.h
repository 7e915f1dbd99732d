/*
 * What a program is given: arguments, standard input, files and environment variables. All of it is
 * bytes in memory, so that it can be cut up, compared and handed to a run (trial.h).
 */
#ifndef HENCE_TRIAL_INPUT_H
#define HENCE_TRIAL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

enum input_kind {
	INPUT_ARGUMENT, /* one of argv, from argv[1] on */
	INPUT_STDIN,
	INPUT_FILE,
	INPUT_VARIABLE, /* of the environment */
};

/* One thing that the program is given. */
struct input_part {
	enum input_kind kind;
	char *name; /* path of a file as the command line has it, name of a variable; else NULL */
	struct str bytes; /* may contain zero bytes, except in arguments and variables */
	bool varied;      /* may be changed in a search; else it is as the user gave it */
	bool unset;       /* a variable that the environment does not have; no bytes then */
};

/* Arguments first, in their order; at most one standard input. */
struct input {
	VEC(struct input_part) parts;
};

/* Caller frees with input_deinit(). `to` is empty before. */
void input_copy(struct input *to, const struct input *from);
void input_deinit(struct input *input);

/* Adds a part that has the bytes of the file `path`. The error names the file. */
MUST_USE struct hence_error *input_add_file(struct input *input, enum input_kind kind,
                                            const char *name, const char *path);

/* Adds a part with copies of the name (may be NULL) and the bytes. */
void input_add_bytes(struct input *input, enum input_kind kind, const char *name, const void *bytes,
                     size_t size);

bool input_equal(const struct input *a, const struct input *b);

/* The same for equal inputs: the key of caches. */
uint64_t input_hash(const struct input *input);

/* For messages: 'argument 2', 'standard input', 'the file data.txt', 'the variable HOME'. Caller
 * frees. */
char *input_part_text(const struct input *input, uint32_t part);

#endif
