/* Questions: constants, guesses, then Z3; and minimal cores. */
#include "solve/solver.h"
#include "solve/solver_work.h"

#define MOST_HARD     64
#define USUAL_STEPS   1000000
#define USUAL_FLOATS  8
#define USUAL_SECONDS 20
#define USUAL_SIZE    200000

struct solver *solver_create(struct terms *terms, const struct solver_options *options)
{
	struct solver *solver = mem_alloc(sizeof(*solver));

	solver->terms = terms;
	if (options)
		solver->options = *options;
	if (!solver->options.steps)
		solver->options.steps = USUAL_STEPS;
	if (!solver->options.floats)
		solver->options.floats = USUAL_FLOATS;
	if (!(solver->options.seconds > 0))
		solver->options.seconds = USUAL_SECONDS;
	if (!solver->options.size)
		solver->options.size = USUAL_SIZE;
	return solver;
}

void solver_destroy(struct solver *solver)
{
	if (!solver)
		return;
	if (solver->z3)
		Z3_del_context(solver->z3);
	solver_values_deinit(&solver->values);
	free(solver);
}

struct solver_counts solver_counts(const struct solver *solver)
{
	return solver->counts;
}

uint64_t solver_value(const struct solver *solver, term t)
{
	return term_evaluate(solver->terms, t, solver_assigned, (void *)solver);
}

/* --- one question --- */

static bool is_false(const struct solver *solver, const term *all, uint32_t count)
{
	uint64_t value;

	for (uint32_t i = 0; i < count; i++)
		if (term_is_constant(solver->terms, all[i], &value) && !value)
			return true;
	return false;
}

static bool is_too_large(const struct solver *solver, const struct solver_variables *survey)
{
	return survey->nodes > solver->options.size || survey->floats > solver->options.floats ||
	       survey->hard > MOST_HARD;
}

static enum solver_answer ask_z3(struct solver *solver, const term *all, uint32_t count,
                                 const struct solver_variables *survey)
{
	struct solver_session session;
	enum solver_answer answer;
	bool *chosen;

	if (is_too_large(solver, survey) || solver->stopped ||
	    !solver_open(solver, all, count, survey, &session)) {
		solver->counts.unknown++;
		return SOLVER_UNKNOWN;
	}
	chosen = mem_alloc(count + 1);
	memset(chosen, true, count);
	answer = solver_ask(&session, chosen);
	if (answer == SOLVER_SATISFIABLE)
		solver_keep_model(&session, survey);
	free(chosen);
	solver_close(&session);
	return answer;
}

enum solver_answer solver_check(struct solver *solver, const term *all, uint32_t count,
                                solver_guess *guess, void *context)
{
	struct solver_variables survey;
	enum solver_answer answer;

	if (is_false(solver, all, count)) {
		solver->counts.folded++;
		return SOLVER_UNSATISFIABLE;
	}
	solver->guess = guess;
	solver->guess_context = context;
	solver_survey(solver->terms, all, count, &survey);
	if (solver_try(solver, all, count)) {
		solver->counts.folded++;
		answer = SOLVER_SATISFIABLE;
	} else {
		answer = ask_z3(solver, all, count, &survey);
	}
	solver_survey_deinit(&survey);
	return answer;
}

/* --- cores --- */

struct minimising {
	struct solver_session *session;
	bool *core;   /* known to belong to it */
	bool *chosen; /* room for a question */
	uint32_t count;
	bool certain;
};

/* Do the core so far and the first `prefix` contradict each other? */
static bool contradicts(struct minimising *m, uint32_t prefix)
{
	enum solver_answer answer;

	for (uint32_t i = 0; i < m->count; i++)
		m->chosen[i] = m->core[i] || i < prefix;
	answer = solver_ask(m->session, m->chosen);
	m->certain &= answer != SOLVER_UNKNOWN;
	return answer == SOLVER_UNSATISFIABLE;
}

/*
 * The shortest prefix that contradicts ends with a term that deletion from the last on would keep, as all behind
 * it can go; then the same with that term given. So each term of the core takes a bisection, and not all terms a question.
 */
static void minimise(struct minimising *m)
{
	uint32_t enough = m->count;

	while (enough && !contradicts(m, 0)) {
		uint32_t few = 0;

		while (enough - few > 1) {
			uint32_t middle = few + (enough - few) / 2;

			if (contradicts(m, middle))
				enough = middle;
			else
				few = middle;
		}
		m->core[--enough] = true;
	}
}

void solver_core(struct solver *solver, const term *all, uint32_t count, uint32_t kept, bool *core,
                 bool *certain)
{
	struct minimising m = {.core = core, .count = count, .certain = true};
	struct solver_session session;
	struct solver_variables survey;

	for (uint32_t i = 0; i < count; i++)
		core[i] = i < kept;
	*certain = true;
	if (is_false(solver, all, kept))
		return;
	solver_survey(solver->terms, all, count, &survey);
	if (is_too_large(solver, &survey) || !solver_open(solver, all, count, &survey, &session)) {
		memset(core, true, count);
		*certain = false;
		solver_survey_deinit(&survey);
		return;
	}
	m.session = &session;
	m.chosen = mem_alloc(count + 1);
	minimise(&m);
	*certain = m.certain;
	free(m.chosen);
	solver_close(&session);
	solver_survey_deinit(&survey);
}
