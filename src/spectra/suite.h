/*
 * The tests of a file, for `hence rank --tests FILE`: one in a line. docs/rank.md describes the format.
 *
 *	./prog ARGS... [< FILE] [=> EXPECTED]
 *
 *	EXPECTED    "text\n"   it passes if it prints just that; escapes are those of C
 *	            @FILE      the same, as a file has it
 *	            exit 3     it passes if it exits with 3; may follow a text or @FILE, with which 0 is right otherwise
 *	            passes     it is known to pass, whatever its exit status
 *	            fails      it is known to fail
 *	            (nothing)  it passes if it exits with 0
 *
 * Words are quoted as for a shell; nothing is expanded. '#' begins a comment, a backslash at its end continues a line.
 */
#ifndef HENCE_SPECTRA_SUITE_H
#define HENCE_SPECTRA_SUITE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

enum suite_expected { SUITE_EXIT, SUITE_OUTPUT, SUITE_PASSES, SUITE_FAILS };

struct suite_test {
	unsigned line; /* of the file, from 1 */
	VEC(char *)
	command;     /* the program and its arguments, with a NULL at the end that is not counted */
	char *input; /* file for standard input; NULL: it is empty */
	enum suite_expected expected;
	struct str output; /* SUITE_OUTPUT: what is right */
	char *output_file; /* where that is from; NULL: from the line itself */
	int status;        /* SUITE_EXIT, SUITE_OUTPUT: what it exits with if it passes */
};

struct suite {
	VEC(struct suite_test) tests;
};

/* Reads the text of a file; `name` is for messages, which begin with 'NAME:LINE: '. Files that it names are
   not looked at. Caller frees with suite_deinit(), after an error too. */
MUST_USE struct hence_error *suite_parse(const char *name, const char *text, size_t size,
                                         struct suite *out);
void suite_deinit(struct suite *suite);

/* Reads the expected output of tests from the files that name it, and finds out whether those for standard input can be
   read. Relative paths are from the working directory. Two tests that expect different things of the same command and input
   are an error. */
MUST_USE struct hence_error *suite_read_files(const char *name, struct suite *suite);

/* Does it say what is exited with? */
bool suite_has_status(const struct suite_test *test);

#endif
