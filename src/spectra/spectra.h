/*
 * Spectra: which tests execute a line says how suspicious it is. A line that failing tests execute and passing ones do
 * not comes first. Nothing here runs anything.
 *
 * With F tests that fail and P that pass, f and p of which execute the line:
 *
 *	Ochiai      f / sqrt(F * (f + p))
 *	Tarantula   (f / F) / (f / F + p / P)
 *	DStar       d / (1 + d) with d = f * f / (p + F - f): the formula's own order, but never above 1 and never divided
 *	            by nothing
 *
 * A line that no failing test executes has 0; where no test passes, p / P is 0.
 */
#ifndef HENCE_SPECTRA_SPECTRA_H
#define HENCE_SPECTRA_SPECTRA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

enum spectra_formula { SPECTRA_OCHIAI, SPECTRA_TARANTULA, SPECTRA_DSTAR, SPECTRA_FORMULAS };

/* 'ochiai', 'tarantula', 'dstar'. */
extern const char *const spectra_names[SPECTRA_FORMULAS];

/* How many tests; of those that execute a line and of all. */
struct spectra_counts {
	uint32_t failed, passed;
	uint32_t all_failed, all_passed;
};

/* From 0 to 1. */
double spectra_score(enum spectra_formula formula, const struct spectra_counts *counts);

/* How much it speaks for a line, from 0 to 1: what all tests execute says next to nothing, so nine tenths are how far
   the score is above that of such a line. The order of lines is that of the scores. */
double spectra_evidence(enum spectra_formula formula, const struct spectra_counts *counts);

/* A line that some test executes. */
struct spectra_line {
	char *file; /* as the compiler was given it */
	unsigned line;
	char *function;
	uint32_t failed, passed; /* tests that execute it */
	uint32_t last;           /* number of the last of them */
	double score;            /* after spectra_rank() */
	uint32_t best, worst; /* its place among all lines: lines that tie share a range, from 1 */
};

MAP_DEFINE_STRING(spectra_index, uint32_t);

/* Zeroed it has no tests. */
struct spectra {
	VEC(struct spectra_line) lines;
	struct spectra_index index; /* 1 + number of a line, by 'FILE:LINE' */
	uint32_t failed, passed;    /* tests */
	bool failing;               /* the test that is being told */
	bool runs;                  /* they are no tests of a file, but runs on given inputs */
};

/* Begins the next test. */
void spectra_begin(struct spectra *spectra, bool failed);

/* That test executes the line; telling it twice counts once. */
void spectra_add(struct spectra *spectra, const char *file, unsigned line, const char *function);

/* NULL: no test executes it. Valid until spectra_rank(). */
const struct spectra_line *spectra_find(const struct spectra *spectra, const char *file,
                                        unsigned line);

/* After all tests: sets the scores, and puts the best first; those that tie are by file and line. No test may be told
   after it. */
void spectra_rank(struct spectra *spectra, enum spectra_formula formula);
void spectra_deinit(struct spectra *spectra);

#endif
