/*
 * The failing case: the command that fails and its input, which of it may be varied, what counts as the failure, and
 * inputs that do not fail; first as the user says it, then with the bytes that are meant.
 */
#ifndef HENCE_EXPLAIN_FAILURE_CASE_H
#define HENCE_EXPLAIN_FAILURE_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "reduce/reduce.h"

struct failure_options {
	const char *input; /* file for standard input; NULL: ours, if it is redirected */
	VEC(const char *) files;
	VEC(const char *) variables;
	bool arguments; /* --args */
	VEC(const char *) pass;
	VEC(const char *) pass_inputs;
	VEC(const char *) pass_files; /* 'PATH=FILE' */
	const char *pass_program;
	const char *expect, *expect_text;
	VEC(const char *)
	expect_files; /* 'OUT=RIGHT'; a test is made of them, with all else that is expected: */
	const char *test;
	const char *test_text; /* what it means that this test fails; NULL: it is the user's */
	bool invert;
	bool any;
	bool unconfined;
	double timeout; /* of one run; 0: chosen */
	uint64_t repeat;
	uint64_t jobs;
	double time; /* for all; 0: no limit */
	const char *by;
	char **command;
	/* Not options: */
	void (*notice)(const char *text); /* told what the user has to know at once; NULL: nobody */
	const char *path;                 /* of the program; NULL: command[0] names it */
	bool fixed;                       /* that nothing can be varied is no error */
	bool has_status;                  /* the exit status that is right is known: */
	int status;
	char **sources; /* words for the compiler that made it, for the report; NULL: it was given */
	uint32_t source_count;
};

void failure_options_deinit(struct failure_options *options);

/* Do they say what is to be varied? */
bool failure_options_name_input(const struct failure_options *options);

/* --- what the options stand for --- */

/* Everything that reduce_run() needs; the callbacks are left to the caller. */
struct failure_case {
	char *program; /* path */
	char *other;   /* of --pass-prog */
	struct input input;
	bool varies; /* there is something to vary, or a passing input */
	VEC(struct input) passing;
	struct str expected;
	struct reduce_options reduce; /* points into all of these */
};

/* Reads the files, standard input and environment that the options name. `out` must not move
   afterwards. Caller frees with failure_case_deinit(), also after an error. */
MUST_USE struct hence_error *failure_case_read(const struct failure_options *options,
                                               struct failure_case *out);
void failure_case_deinit(struct failure_case *failure);

/* Sets failure->reduce from the rest of it, and from options that are about how runs are made and judged. */
void failure_case_fill(const struct failure_options *options, struct failure_case *failure);

/* Appends the bytes of a file; errors name `option`. */
MUST_USE struct hence_error *failure_case_read_file(const char *option, const char *path,
                                                    struct str *out);

/* Splits a text into words as a shell does: spaces, 'quotes', "quotes" and backslashes; no
   variables, patterns or commands. The error names `option`. Appends each word as an argument. */
MUST_USE struct hence_error *failure_words_split(const char *option, const char *text,
                                                 struct input *out);

/* The opposite: a word as a shell has to be given it, in quotes if it needs them. */
void failure_words_quote(const char *bytes, size_t size, struct str *out);

#endif
