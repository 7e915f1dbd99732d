/*
 * Values with which a claim would have been true. The claim becomes a term over the symbols of one instance: those of
 * later ones are replaced by their definitions, all others are what they were. Then values nearby and constants
 * that occur are tried, and the solver is asked for more.
 */
#include "solve/refute_work.h"
#include "solve/solver_work.h"
#include "solve/term_work.h"

#define MOST_FOLLOWED 400000 /* symbols */
#define MOST_TRIED    4096
#define MOST_STEPS    100000 /* of Z3: there are many instances, and a value is only a proposal */

struct proposing {
	struct refute_cache *cache;
	struct terms *terms;
	uint32_t instance;
	uint32_t followed;
	VEC(uint64_t) free; /* symbols of the instance */
	VEC(uint64_t) found;
	uint64_t tried; /* value of what is free, joined */
	term whole;     /* the same as a term */
	uint32_t bits;
};

static term replace_symbol(void *context, uint64_t number)
{
	struct proposing *p = context;
	const struct symbol *symbol;

	if (number >= TERM_ANY)
		return 0;
	symbol = symbolic_symbol(p->cache->symbolic, (uint32_t)number);
	if (symbol->instance == p->instance) {
		*vec_push(&p->free) = number;
		return 0;
	}
	if (refute_position(p->cache, number) > p->instance && p->followed++ < MOST_FOLLOWED)
		return refute_definition(p->cache, number);
	return term_constant(p->terms, symbol->bits, symbolic_actual(p->cache->symbolic, number));
}

static const struct symbol *free_at(const struct proposing *p, uint32_t i)
{
	return symbolic_symbol(p->cache->symbolic, (uint32_t)p->free.at[i]);
}

/* The lowest byte first; those that lie too far above are left out. */
static void sort_free(struct proposing *p)
{
	uint64_t low;

	for (uint32_t i = 1; i < p->free.size; i++)
		for (uint32_t k = i; k && free_at(p, k)->at < free_at(p, k - 1)->at; k--) {
			uint64_t was = p->free.at[k];

			p->free.at[k] = p->free.at[k - 1];
			p->free.at[k - 1] = was;
		}
	low = free_at(p, 0)->at;
	for (uint32_t i = 1; i < p->free.size; i++)
		if (free_at(p, i)->at != low + i || i >= 8)
			p->free.size = i;
	p->bits = p->free.size == 1 ? free_at(p, 0)->bits : 8 * p->free.size;
}

static void join_free(struct proposing *p)
{
	for (uint32_t i = 0; i < p->free.size; i++) {
		const struct symbol *symbol = free_at(p, i);
		term t = term_variable(p->terms, symbol->bits, p->free.at[i]);

		p->whole = p->whole ? term_make(p->terms, TERM_CONCAT, 0, t, p->whole, 0) : t;
	}
}

/* --- by trying --- */

static uint64_t tried_value(void *context, uint64_t number)
{
	struct proposing *p = context;

	for (uint32_t i = 0; i < p->free.size; i++)
		if (p->free.at[i] == number)
			return p->tried >> (8 * i);
	return symbolic_actual(p->cache->symbolic, number);
}

static bool is_found(const struct proposing *p, uint64_t value)
{
	for (uint32_t i = 0; i < p->found.size; i++)
		if (p->found.at[i] == value)
			return true;
	return false;
}

static void try_value(struct proposing *p, term claim, uint64_t value, uint64_t was)
{
	p->tried = value & term_mask(p->bits);
	if (p->tried == was || is_found(p, p->tried))
		return;
	if (term_evaluate(p->terms, claim, tried_value, p))
		*vec_push(&p->found) = p->tried;
}

static void try_all(struct proposing *p, term claim, const struct solver_variables *survey,
                    uint64_t was)
{
	uint32_t left = 1 + MOST_TRIED * 64 / (survey->nodes + 1);

	for (uint32_t near = 1; near <= 4; near++) {
		try_value(p, claim, was + near, was);
		try_value(p, claim, was - near, was);
	}
	try_value(p, claim, 0, was);
	try_value(p, claim, 1, was);
	try_value(p, claim, UINT64_MAX, was);
	try_value(p, claim, -was, was);
	for (uint32_t i = 0; i < survey->constants.size && left > 1; i++, left--)
		for (int near = -1; near <= 1; near++)
			try_value(p, claim, survey->constants.at[i] + (uint64_t)near, was);
	for (uint32_t bit = 0; bit < p->bits && left > 1; bit++, left--)
		try_value(p, claim, UINT64_C(1) << bit, was);
}

static uint64_t distance(const struct proposing *p, uint64_t value, uint64_t was)
{
	int64_t apart = term_signed((value - was) & term_mask(p->bits), p->bits);

	return apart < 0 ? -(uint64_t)apart : (uint64_t)apart;
}

static void sort_found(struct proposing *p, uint64_t was)
{
	for (uint32_t i = 1; i < p->found.size; i++)
		for (uint32_t k = i;
		     k && distance(p, p->found.at[k], was) < distance(p, p->found.at[k - 1], was);
		     k--) {
			uint64_t value = p->found.at[k];

			p->found.at[k] = p->found.at[k - 1];
			p->found.at[k - 1] = value;
		}
}

/* --- by the solver --- */

/* Z3 takes long for divisions, and there are many instances: then only the walk. */
static bool finds(struct proposing *p, struct solver *solver, const term *all, uint32_t count,
                  bool hard)
{
	struct symbolic *symbolic = p->cache->symbolic;

	if (!hard)
		return solver_check(solver, all, count, symbolic_actual, symbolic) ==
		       SOLVER_SATISFIABLE;
	solver->guess = symbolic_actual;
	solver->guess_context = symbolic;
	return solver_try(solver, all, count);
}

static void ask_solver(struct proposing *p, struct solver *solver, term claim, bool hard,
                       uint32_t room)
{
	VEC(term) all = VEC_INIT;
	uint32_t steps = solver->options.steps;

	if (steps > MOST_STEPS)
		solver->options.steps = MOST_STEPS;
	*vec_push(&all) = claim;
	for (uint32_t i = 0; i < p->found.size; i++)
		*vec_push(&all) =
			term_not(p->terms, term_equals(p->terms, p->whole, p->found.at[i]));
	while (p->found.size < room && finds(p, solver, all.at, all.size, hard)) {
		uint64_t value = solver_value(solver, p->whole);

		if (is_found(p, value))
			break;
		*vec_push(&p->found) = value;
		*vec_push(&all) = term_not(p->terms, term_equals(p->terms, p->whole, value));
	}
	solver->options.steps = steps;
	vec_deinit(&all);
}

static void propose(struct proposing *p, struct solver *solver, term claim, uint32_t room)
{
	struct solver_variables survey;
	uint64_t was;

	sort_free(p);
	join_free(p);
	was = term_evaluate(p->terms, p->whole, symbolic_actual, p->cache->symbolic);
	solver_survey(p->terms, &claim, 1, &survey);
	try_all(p, claim, &survey, was);
	sort_found(p, was);
	if (solver)
		ask_solver(p, solver, claim, survey.hard > 2, room);
	solver_survey_deinit(&survey);
}

uint32_t refute_propose(struct symbolic *symbolic, struct solver *solver,
                        const struct refute_question *question, uint32_t instance, uint64_t *values,
                        uint32_t room)
{
	struct refute_cache *cache = refute_cache_for(symbolic, question);
	struct proposing p = {
		.cache = cache, .terms = symbolic_terms(symbolic), .instance = instance};
	uint32_t count;
	uint64_t made;
	term claim;

	refute_know(cache, question->claim, question->most);
	count = terms_count(p.terms);
	made = symbolic_made(symbolic);
	claim = term_replace(p.terms, question->claim, replace_symbol, &p);
	if (p.free.size && !term_is_constant(p.terms, claim, NULL))
		propose(&p, solver, claim, room);
	refute_forget(cache, count, made);
	if (p.found.size < room)
		room = p.found.size;
	if (room)
		memcpy(values, p.found.at, room * sizeof(*values));
	vec_deinit(&p.free);
	vec_deinit(&p.found);
	if (!question->cache)
		refute_cache_destroy(cache);
	return room;
}
