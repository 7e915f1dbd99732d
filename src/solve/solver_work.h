/* Inside of the solver: a question to Z3, and how its answer is kept. */
#ifndef HENCE_SOLVE_SOLVER_WORK_H
#define HENCE_SOLVE_SOLVER_WORK_H

#include <z3.h>

#include "base/map.h"
#include "base/vec.h"
#include "solve/solver.h"

typedef uint64_t solver_guess(void *context, uint64_t number);

MAP_DEFINE_U64(solver_values, uint64_t);

struct solver {
	struct terms *terms;
	struct solver_options options; /* without zeros */
	struct solver_counts counts;
	Z3_context
		z3; /* NULL: not yet. It keeps all that is made in it, so it is renewed now and then */
	uint64_t made; /* nodes in it */
	bool stopped;

	/* The assignment that was found: numbers of variables that it changes; `guess` has the others. */
	struct solver_values values;
	solver_guess *guess;
	void *guess_context;
};

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

/* Looks for an assignment for a moment, from the guess on. True: one satisfies all; it is kept in the solver. */
bool solver_try(struct solver *solver, const term *all, uint32_t count);

/* --- Z3 --- */

/* Terms in Z3's words, each asserted if its own selector is assumed. */
struct solver_session {
	struct solver *solver;
	Z3_solver z3;
	VEC(Z3_ast) of;        /* by term: what it became; NULL: nothing yet */
	VEC(Z3_ast) floats;    /* by term: as a floating-point number; NULL: not asked for */
	VEC(Z3_ast) selectors; /* one for each term of the question */
	bool broken;           /* Z3 refused something */
};

/* A term of one bit as Z3's truth; its operands first. */
Z3_ast solver_translate(struct solver_session *session, term t);

#endif
