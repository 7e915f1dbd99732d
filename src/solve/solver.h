/*
 * Asks Z3 whether several terms, of one bit each, can all be true; and which of them are enough to
 * contradict each other. Budgets are counted in Z3's own steps, so that answers hardly depend on the clock.
 * The only folder that knows Z3.
 */
#ifndef HENCE_SOLVE_SOLVER_H
#define HENCE_SOLVE_SOLVER_H

#include "base/error.h"
#include "base/vec.h"
#include "solve/term.h"

enum solver_answer {
	SOLVER_UNSATISFIABLE,
	SOLVER_SATISFIABLE,
	SOLVER_UNKNOWN, /* not within its budget */
};

struct solver_options {
	uint32_t steps; /* Z3's rlimit for one question; 0: about half a second's worth */
	/* Most floating-point operations in one question, of which hard ones count several times: with more it is
	   not asked (SOLVER_UNKNOWN); 0: 8 */
	uint32_t floats;
	uint32_t size; /* most nodes; 0: 200,000 */
	/* Most time in Z3 altogether; 0: 20. As a last resort, since Z3 does not count all that it does: then
	   all further questions are unknown, as is one that takes a tenth of it. */
	double seconds;
	/* Asked while Z3 works, about every tenth of a second, from a thread of its own, or not at all; true: it gives up.
	   May be NULL. */
	bool (*stop)(void *context);
	void *context;
};

struct solver_counts {
	uint64_t calls;   /* questions that Z3 was asked */
	uint64_t folded;  /* that needed no solver: a constant, or a guess that satisfies */
	uint64_t unknown; /* of `calls`, and those that were too large */
	double seconds;   /* in Z3 */
};

struct solver;

/* The value that a variable has in the run. */
typedef uint64_t solver_guess(void *context, uint64_t number);

/* The terms must outlive it. Caller frees with solver_destroy(). */
struct solver *solver_create(struct terms *terms, const struct solver_options *options);
void solver_destroy(struct solver *solver);
struct solver_counts solver_counts(const struct solver *solver);

/* Before Z3 is asked, an assignment is looked for near that of `guess` (may be NULL: all are 0): the values of
   variables in the run. */
enum solver_answer solver_check(struct solver *solver, const term *all, uint32_t count,
                                solver_guess *guess, void *context);

/* Looks for an assignment for a moment, from the guess on, without Z3. True: one satisfies all; solver_value() knows it. */
bool solver_try(struct solver *solver, const term *all, uint32_t count, solver_guess *guess,
                void *context);

/* Sets options.steps, and gives what it was. */
uint32_t solver_set_steps(struct solver *solver, uint32_t steps);

/* After SOLVER_SATISFIABLE: the value of a term in the assignment that was found; variables that do not
   matter have that of `guess`, or 0. */
uint64_t solver_value(const struct solver *solver, term t);

/*
 * A minimal core of terms that contradict each other: without any of them the rest does not, as far as the
 * solver knows (*certain: it never had to say unknown). By deletion, from the last of `all` to the first, so
 * the first are those that stay. `kept`: as many of the first are never tried. core[i] becomes whether
 * all[i] belongs to it. The caller knows that all together are unsatisfiable.
 */
void solver_core(struct solver *solver, const term *all, uint32_t count, uint32_t kept, bool *core,
                 bool *certain);

/* Appends a whole question as a file for any SMT solver: each term an assertion with a name ('a0', 'a1', ...). */
void solver_print(const struct solver *solver, const term *all, uint32_t count, struct str *out);

/* --- what a question consists of --- */

/* The variables of terms, each once. Caller frees with vec_deinit(). */
struct solver_variable {
	uint64_t number;
	uint32_t bits;
};
struct solver_variables {
	VEC(struct solver_variable) all;
	uint32_t nodes;          /* that the terms have in all */
	uint32_t floats;         /* of these, operations on floats; hard ones count several times */
	uint32_t hard;           /* operations on integers that take Z3 long */
	VEC(uint64_t) constants; /* that occur, each once, the first few */
};
void solver_survey(const struct terms *terms, const term *all, uint32_t count,
                   struct solver_variables *out);
void solver_survey_deinit(struct solver_variables *survey);

#endif
