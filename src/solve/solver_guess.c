/*
 * Guesses before Z3 is asked. Most questions can be satisfied, by a change of a few values of the run. So a walk begins there: a
 * term that is not true is chosen, and on the way down from it what an operand must be for that, until a
 * variable is reached and changed. That is much faster than Z3 where it ends, and it ends soon or not at all.
 */
#include "solve/solver_walk.h"
#include "solve/solver_work.h"
#include "solve/term_print.h"

#define MOST_CONSTANTS 24
#define MOST_ROUNDS    2000
#define MOST_STEPS     200000 /* nodes that are evaluated */

/* --- survey --- */

static void add_constant(struct solver_variables *survey, uint64_t value)
{
	for (uint32_t i = 0; i < survey->constants.size; i++)
		if (survey->constants.at[i] == value)
			return;
	if (survey->constants.size < MOST_CONSTANTS)
		*vec_push(&survey->constants) = value;
}

/* How much an operation on floats is: Z3 computes it bit by bit. */
static uint32_t weight_of(const struct terms *terms, const struct term_node *n)
{
	bool constant = n->b && (term_is_constant(terms, n->a, NULL) ||
	                         term_is_constant(terms, n->b, NULL));

	if (!term_is_float_op(n->op))
		return 0;
	if (n->op == TERM_FDIV || n->op == TERM_FSQRT)
		return 4;
	return n->op == TERM_FMUL && !constant ? 3 : 1;
}

/* Divisions, and products of two variables. */
static bool is_hard(const struct terms *terms, const struct term_node *n)
{
	if (n->op >= TERM_UDIV && n->op <= TERM_SREM)
		return true;
	return n->op == TERM_MUL && !term_is_constant(terms, n->b, NULL);
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

		out->floats += weight_of(terms, n);
		out->hard += is_hard(terms, n);
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

uint64_t solver_assigned(void *context, uint64_t number)
{
	struct solver *solver = context;
	uint64_t *value = solver_values_find(&solver->values, number);

	if (value)
		return *value;
	return solver->guess ? solver->guess(solver->guess_context, number) : 0;
}

/* --- the walk --- */

MAP_DEFINE_U64(index_map, uint32_t);

struct walk {
	struct solver *solver;
	VEC(struct walk_node) nodes;
	VEC(uint32_t) roots;
	VEC(uint32_t) wrong; /* roots that are not true */
	uint64_t random;
};

static uint64_t draw(struct walk *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return w->random * UINT64_C(0x9e3779b97f4a7c15);
}

static void begin_walk(struct walk *w, const term *all, uint32_t count)
{
	const struct terms *terms = w->solver->terms;
	struct index_map indices = MAP_INIT;
	struct term_order order;

	term_order_make(terms, all, count, &order);
	for (uint32_t i = 0; i < order.nodes.size; i++) {
		struct walk_node n = {.node = *term_at(terms, order.nodes.at[i])};

		if (n.node.a) {
			n.a = *index_map_find(&indices, n.node.a);
			n.width = w->nodes.at[n.a].node.bits;
		}
		if (n.node.b)
			n.b = *index_map_find(&indices, n.node.b);
		if (n.node.c)
			n.c = *index_map_find(&indices, n.node.c);
		if (n.node.op == TERM_CONSTANT)
			n.value = n.node.value;
		*index_map_put(&indices, order.nodes.at[i]) = i;
		*vec_push(&w->nodes) = n;
	}
	for (uint32_t i = 0; i < count; i++)
		*vec_push(&w->roots) = *index_map_find(&indices, all[i]);
	index_map_deinit(&indices);
	term_order_deinit(&order);
}

static void end_walk(struct walk *w)
{
	vec_deinit(&w->nodes);
	vec_deinit(&w->roots);
	vec_deinit(&w->wrong);
}

/* Computes all values. False: all roots are true. */
static bool is_wrong(struct walk *w)
{
	for (uint32_t i = 0; i < w->nodes.size; i++) {
		struct walk_node *n = &w->nodes.at[i];
		uint64_t operands[3] = {w->nodes.at[n->a].value, w->nodes.at[n->b].value,
		                        w->nodes.at[n->c].value};

		if (n->node.op > TERM_VARIABLE)
			term_compute(&n->node, n->width, operands, &n->value);
	}
	w->wrong.size = 0;
	for (uint32_t i = 0; i < w->roots.size; i++)
		if (!w->nodes.at[w->roots.at[i]].value)
			*vec_push(&w->wrong) = w->roots.at[i];
	return w->wrong.size;
}

/* Changes the variable at the end of a way down from a root that is not true. */
static void change_one(struct walk *w)
{
	struct walk_wish wish = {w->wrong.at[draw(w) % w->wrong.size], 1};

	while (walk_invert(w->nodes.at, wish.at, wish.value, draw(w), &wish))
		wish.value &= term_mask(w->nodes.at[wish.at].node.bits);
	if (w->nodes.at[wish.at].node.op == TERM_VARIABLE)
		w->nodes.at[wish.at].value = wish.value;
}

static void keep_values(struct walk *w)
{
	for (uint32_t i = 0; i < w->nodes.size; i++)
		if (w->nodes.at[i].node.op == TERM_VARIABLE)
			*solver_values_put(&w->solver->values, w->nodes.at[i].node.value) =
				w->nodes.at[i].value;
}

/* To the values of the run. */
static void go_back(struct walk *w)
{
	for (uint32_t i = 0; i < w->nodes.size; i++) {
		struct walk_node *n = &w->nodes.at[i];

		if (n->node.op == TERM_VARIABLE)
			n->value =
				solver_assigned(w->solver, n->node.value) & term_mask(n->node.bits);
	}
}

/* Begins anew when it has gone astray: after 64 rounds, 128, and so on. */
static bool find(struct walk *w, uint32_t rounds)
{
	uint32_t next = 64, until = 0;

	for (uint32_t i = 0; i < rounds; i++) {
		if (i == until) {
			go_back(w);
			until += next;
			next *= 2;
		} else {
			change_one(w);
		}
		if (!is_wrong(w))
			return true;
	}
	return false;
}

bool solver_try(struct solver *solver, const term *all, uint32_t count)
{
	struct walk w = {.solver = solver, .random = 88172645463325252u};
	uint32_t rounds;
	bool found;

	solver_values_deinit(&solver->values);
	begin_walk(&w, all, count);
	rounds = 1 + MOST_STEPS / (w.nodes.size + 1);
	found = find(&w, rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS);
	if (found)
		keep_values(&w);
	end_walk(&w);
	return found;
}
