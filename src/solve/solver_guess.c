/*
 * Guesses before Z3 is asked. Most questions can be satisfied, and then often by a small change of what was
 * in the run: one variable with another value, such as a constant that the terms compare with.
 */
#include "solve/solver_work.h"
#include "solve/term_print.h"
#include "solve/term_work.h"

#define MOST_CONSTANTS 24
#define MOST_VARIABLES 64
#define MOST_STEPS     100000 /* nodes that are evaluated */

/* --- survey --- */

static void add_constant(struct solver_variables *survey, uint64_t value)
{
	for (uint32_t i = 0; i < survey->constants.size; i++)
		if (survey->constants.at[i] == value)
			return;
	if (survey->constants.size < MOST_CONSTANTS)
		*vec_push(&survey->constants) = value;
}

void solver_survey(const struct terms *terms, const term *all, uint32_t count,
                   struct solver_variables *out)
{
	struct term_order order;

	*out = (struct solver_variables){0};
	term_order_make(terms, all, count, &order);
	out->nodes = order.nodes.size;
	for (uint32_t i = 0; i < order.nodes.size; i++) {
		const struct term_node *n = term_at(terms, order.nodes.at[i]);

		out->floats += term_is_float_op(n->op);
		if (n->op == TERM_CONSTANT)
			add_constant(out, n->value);
		if (n->op == TERM_VARIABLE)
			*vec_push(&out->all) = (struct solver_variable){n->value, n->bits};
	}
	term_order_deinit(&order);
}

void solver_survey_deinit(struct solver_variables *survey)
{
	vec_deinit(&survey->all);
	vec_deinit(&survey->constants);
}

/* --- assignments --- */

uint64_t solver_assigned(void *context, uint64_t number)
{
	struct solver *solver = context;
	uint64_t *value = solver_values_find(&solver->values, number);

	if (value)
		return *value;
	return solver->guess ? solver->guess(solver->guess_context, number) : 0;
}

struct trying {
	struct solver *solver;
	const term *all;
	uint32_t count;
	uint64_t steps, step; /* that are left; that one try takes */
};

static bool satisfies(struct trying *t)
{
	if (t->steps < t->step)
		return false;
	t->steps -= t->step;
	return term_all_true(t->solver->terms, t->all, t->count, solver_assigned, t->solver);
}

static bool try_value(struct trying *t, const struct solver_variable *variable, uint64_t value)
{
	*solver_values_put(&t->solver->values, variable->number) =
		value & term_mask(variable->bits);
	return satisfies(t);
}

/* One variable with other values: those next to what it is, small ones, and constants and what is next to them. */
static bool try_variable(struct trying *t, const struct solver_variable *variable,
                         const struct solver_variables *survey)
{
	uint64_t was = solver_assigned(t->solver, variable->number);
	uint64_t sign = UINT64_C(1) << (variable->bits - 1);
	const uint64_t usual[] = {was + 1, was - 1, 0, 1, UINT64_MAX, was ^ sign, sign, sign - 1};

	for (uint32_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (try_value(t, variable, usual[i]))
			return true;
	for (uint32_t i = 0; i < survey->constants.size; i++)
		for (int near = -1; near <= 1; near++)
			if (try_value(t, variable, survey->constants.at[i] + (uint64_t)near))
				return true;
	solver_values_remove(&t->solver->values, variable->number);
	return false;
}

static bool try_all(struct trying *t, const struct solver_variables *survey, uint64_t value)
{
	for (uint32_t i = 0; i < survey->all.size; i++)
		*solver_values_put(&t->solver->values, survey->all.at[i].number) =
			value & term_mask(survey->all.at[i].bits);
	if (satisfies(t))
		return true;
	solver_values_deinit(&t->solver->values);
	return false;
}

bool solver_try(struct solver *solver, const term *all, uint32_t count,
                const struct solver_variables *survey)
{
	struct trying t = {solver, all, count, MOST_STEPS, survey->nodes + 1};

	solver_values_deinit(&solver->values);
	if (satisfies(&t) || try_all(&t, survey, 0) || try_all(&t, survey, UINT64_MAX))
		return true;
	for (uint32_t i = 0; i < survey->all.size && i < MOST_VARIABLES; i++)
		if (try_variable(&t, &survey->all.at[i], survey))
			return true;
	return false;
}
