/*
 * `hence rank`: the tests of a file are run and recorded; which of them execute a line says how suspicious it is, and
 * one that fails is explained. Both go into the one ranking of suspects (causes/suspects.h).
 */
#ifndef HENCE_CLI_RANK_H
#define HENCE_CLI_RANK_H

#include "cli/explain.h"
#include "report/explanation.h"
#include "spectra/spectra.h"
#include "spectra/suite.h"

#define RANK_MOST    10u  /* suspects that are shown, if nothing else is said */
#define RANK_TIMEOUT 10.0 /* seconds for a run of a test, likewise */

struct rank_options {
	const char *tests; /* file */
	enum spectra_formula formula;
	uint64_t failing; /* number of the test that is explained; 0: the first that can be */
	uint64_t most;
	bool no_explain;
	struct report_options report; /* how tests are run, and how the answer is put out */
};

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

/* Reads the file, goes to its folder, and finds the programs. Caller frees with rank_suite_deinit(), after an error
   too. */
struct hence_error *rank_suite_read(const char *path, struct rank_suite *out);

/* Runs all tests, several at a time. `report` says how. Those that have not ended at the time `until` are unknown; 0: there
   is no limit. */
struct hence_error *rank_suite_run(struct rank_suite *suite, const struct report_options *report,
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
struct hence_error *rank_find_spectra(const char *path, const char *program,
                                      const struct report_options *report,
                                      enum spectra_formula formula, double until,
                                      struct spectra *out, uint32_t *missed);

/* Explains the failure of a test, compared with tests of the same program that pass. *code as in explain_find(). Caller frees
   with explanation_deinit(). */
struct hence_error *rank_explain(const struct rank_options *options, const struct rank_suite *suite,
                                 const struct rank_test *failing, const struct spectra *spectra,
                                 struct explanation *out, int *code);

/* --- rank_one.c --- */

/* Runs a test in a process of its own, which writes to `pipe` what rank_one_read() reads, and ends. */
struct rank_one {
	const struct suite_test *test;
	const struct report_options *report;
};
void rank_one_run(const struct rank_one *one, int pipe) __attribute__((noreturn));

/* Takes what it has written. False: that is not complete; it died. */
bool rank_one_read(const struct str *bytes, struct rank_test *out);

/* --- rank_print.c --- */

struct rank_answer {
	const struct rank_options *options;
	const struct rank_suite *suite;
	const struct spectra *spectra;
	const char *program;
	const struct rank_test *explained; /* NULL: none */
	const struct explanation *explanation;
	double seconds;
	VEC(char *) notes;
	bool coloured;
};

void rank_print_text(const struct rank_answer *answer, FILE *file);
void rank_print_json(const struct rank_answer *answer, FILE *file);
void rank_print_gcc(const struct rank_answer *answer, FILE *file);

#endif
