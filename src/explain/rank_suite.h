/*
 * The tests of a file, run and recorded: which of them execute a line says how suspicious it is (spectra/spectra.h). For `hence
 * rank`, and for --tests of `hence explain` and `hence fix`.
 */
#ifndef HENCE_EXPLAIN_RANK_SUITE_H
#define HENCE_EXPLAIN_RANK_SUITE_H

#include "base/budget.h"
#include "explain/failure_case.h"
#include "explain/recorded.h"
#include "report/explanation.h"
#include "spectra/spectra.h"
#include "spectra/suite.h"

enum rank_verdict {
	RANK_PASSES,
	RANK_FAILS,
	RANK_FLAKY,   /* two runs of it did not agree */
	RANK_UNKNOWN, /* it could not be run */
};

struct rank_line {
	char *file, *function;
	unsigned line;
};

/* A test that was run. */
struct rank_test {
	const struct suite_test *test;
	enum rank_verdict verdict;
	bool shows;  /* that it fails can be seen from the run: its failure can be explained */
	char *ended; /* 'prints a wrong line 1', 'exits with 0'; of RANK_UNKNOWN: why */
	int status;  /* RANK_PASSES: what it exited with */
	VEC(struct rank_line) lines; /* that it executes */
};

/* All of them. */
struct rank_suite {
	char *folder; /* of the file: its paths are relative to it. NULL: the working directory */
	struct suite suite;
	VEC(struct rank_test) tests;
};

/* How tests are run. */
struct suite_how {
	const struct failure_options *failure; /* timeout, jobs, confinement */
	const struct run_options *run;
	const struct budget *budget; /* shows how far the tests are */
};

/* Reads the file, goes to its folder, and finds the programs. Caller frees with rank_suite_deinit(), after an error
   too. */
MUST_USE struct hence_error *rank_suite_read(const char *path, struct rank_suite *out);

/* Runs all tests, several at a time. Those that have not ended at the time `until` are unknown; 0: there
   is no limit. */
MUST_USE struct hence_error *rank_suite_run(struct rank_suite *suite, const struct suite_how *how,
                                            double until);
void rank_suite_deinit(struct rank_suite *suite);

/* The path, from wherever we are. NULL stays NULL. Caller frees. */
char *rank_absolute(const char *path);

/* Is what the name executes that file? */
struct stat;
bool rank_is_file(const char *name, const struct stat *info);

/* Is it a test of that program? */
bool rank_is_of(const struct rank_test *test, const char *program);

/* Tells the tests of a program, and ranks its lines. Caller frees with spectra_deinit(). */
void rank_spectra(const struct rank_suite *suite, const char *program, enum spectra_formula formula,
                  struct spectra *out);

/* Adds the lines as evidence, and ranks all suspects anew. */
void rank_add_spectra(const struct spectra *spectra, enum spectra_formula formula,
                      const char *program, struct explanation *out);

/* For `hence explain --tests`: the spectra of a program, by the tests of it in that file, as far as they end before the
   time `until`; *missed do not. */
MUST_USE struct hence_error *rank_find_spectra(const char *path, const char *program,
                                               const struct suite_how *how,
                                               enum spectra_formula formula, double until,
                                               struct spectra *out, uint32_t *missed);

#endif
