/*
 * Guesses before Z3 is asked. Most questions can be satisfied, by a change of a few values of the run. So a walk begins there: a
 * term that is not true is chosen, and on the way down from it what an operand must be for that, until a
 * variable is reached and changed. That is much faster than Z3 where it ends, and it ends soon or not at all.
 */
#include <math.h>

#include "solve/solver_work.h"
#include "solve/term_work.h"

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

/* --- operations inverted --- */

/*
 * What an operand must be for the result to be a certain value. Where there is no such value, one that is near: the
 * walk goes on from there, and what it ends with is evaluated.
 */

/* A node of the question; operands come before it. */
struct walk_node {
	struct term_node node;
	uint32_t a, b, c; /* indices */
	uint32_t width;   /* of operand a */
	uint64_t value;   /* now */
};

/* What one operand must be for a node to have a value, the others as they are. */
struct walk_wish {
	uint32_t at;
	uint64_t value;
};

/* Of an odd number; each round doubles the bits that are right. */
static uint64_t inverse_of(uint64_t odd)
{
	uint64_t inverse = odd;

	for (int i = 0; i < 6; i++)
		inverse *= 2 - odd * inverse;
	return inverse;
}

/* Of a dividend: the remainder stays if the quotient is wanted, and the other way round. */
static uint64_t invert_dividend(const struct walk_node *n, uint64_t a, uint64_t b, uint64_t wanted)
{
	int64_t x = term_signed(a, n->width), y = term_signed(b, n->width);
	bool is_signed = n->node.op == TERM_SDIV || n->node.op == TERM_SREM;
	uint64_t rest = 0;

	if (b && y != -1)
		rest = is_signed ? (uint64_t)(x % y) : a % b;
	if (n->node.op == TERM_UDIV || n->node.op == TERM_SDIV)
		return wanted * b + rest;
	return a - rest + wanted;
}

/* Of operand a (`first`) or b, with `own` as it is and `other` what stays. */
static uint64_t invert_two(const struct walk_node *n, bool first, uint64_t own, uint64_t other,
                           uint64_t wanted, uint64_t random)
{
	uint32_t by = first && other < 64 ? (uint32_t)other : 0;

	switch (n->node.op) {
	case TERM_ADD: return wanted - other;
	case TERM_SUB: return first ? wanted + other : other - wanted;
	case TERM_XOR: return wanted ^ other;
	case TERM_AND: return wanted | (own & ~other);
	case TERM_OR: return (wanted & ~other) | (own & wanted);
	case TERM_MUL: {
		/* The quotient if there is one; else the nearest, or what wraps round to it. */
		int64_t w = term_signed(wanted, n->width), o = term_signed(other, n->width);
		int zeros = other ? __builtin_ctzll(other) : 0;

		if (!other)
			return random;
		if (o != -1 && (w % o == 0 || random % 4))
			return (uint64_t)(w / o);
		return (wanted >> zeros) * inverse_of(other >> zeros);
	}
	case TERM_SHL: return first ? wanted >> by : random % n->node.bits;
	case TERM_LSHR:
	case TERM_ASHR: return first ? wanted << by : random % n->node.bits;
	default: {
		uint64_t a = first ? own : other;
		int64_t x = term_signed(a, n->width), w = term_signed(wanted, n->width);

		if (first)
			return invert_dividend(n, a, first ? other : own, wanted);
		switch (n->node.op) {
		case TERM_UDIV: return wanted ? a / wanted : a + 1;
		case TERM_SDIV: return !w ? a + 1 : w == -1 ? -a : (uint64_t)(x / w);
		default: return a - wanted;
		}
	}
	}
}

/* --- comparisons --- */

/* A number from low to high. */
static uint64_t between(uint64_t low, uint64_t high, uint64_t random)
{
	if (high <= low)
		return high;
	if (random & 1)
		return random & 2 ? low : high;
	return high - low == UINT64_MAX ? random : low + (random >> 2) % (high - low + 1);
}

static uint64_t invert_compare(const struct walk_node *n, bool first, uint64_t own, uint64_t other,
                               bool wanted, uint64_t random)
{
	if (n->node.op != TERM_EQ) {
		/* `own` on the side `first` of an order; signed ones are shifted so that they are unsigned. */
		bool is_signed = n->node.op == TERM_SLT || n->node.op == TERM_SLE;
		bool strict = n->node.op == TERM_ULT || n->node.op == TERM_SLT;
		uint64_t flip = is_signed ? UINT64_C(1) << (n->width - 1) : 0,
			 most = term_mask(n->width);
		uint64_t x = other ^ flip, value;
		bool less = wanted == first; /* than x, or not more */
		bool apart = strict == wanted;

		if (less)
			value = between(0, x - (apart && x), random);
		else
			value = between(x + (apart && x < most), most, random);
		return value ^ flip;
	}
	if (wanted)
		return other;
	return own != other ? own : random & 1 ? other + 1 : random & 2 ? other - 1 : random >> 2;
}

/* --- floats --- */

static double get(uint64_t bits, uint32_t width)
{
	double d;
	float f;

	memcpy(&d, &bits, sizeof(d));
	memcpy(&f, &bits, sizeof(f));
	return width == 32 ? (double)f : d;
}

static uint64_t put(double value, uint32_t width)
{
	float narrow = (float)value;
	uint64_t bits = 0;

	memcpy(&bits, width == 32 ? (void *)&narrow : (void *)&value, width / 8);
	return bits;
}

static double invert_number(const struct walk_node *n, bool first, double other, double wanted)
{
	switch (n->node.op) {
	case TERM_FADD: return wanted - other;
	case TERM_FSUB: return first ? wanted + other : other - wanted;
	case TERM_FMUL: return other != 0 ? wanted / other : 0;
	case TERM_FDIV: return first ? wanted * other : wanted != 0 ? other / wanted : 0;
	case TERM_FSQRT: return wanted * wanted;
	default: return wanted;
	}
}

/* Of a comparison: equal, a little apart, or far. */
static double compare_number(const struct walk_node *n, bool first, double other, bool wanted,
                             uint64_t random)
{
	static const double steps[] = {0, 0.001, 1, 1000};
	double step = steps[random & 3];

	if (n->node.op == TERM_FNAN)
		return wanted ? NAN : 0;
	if (n->node.op == TERM_FEQ)
		return wanted ? other : other + 1 + step;
	return wanted == first ? other - step : other + step;
}

static uint64_t invert_float(const struct walk_node *n, bool first, uint64_t other, uint64_t wanted,
                             uint64_t random)
{
	uint32_t bits = n->node.bits;

	switch (n->node.op) {
	case TERM_FROM_SIGNED: return (uint64_t)llrint(fmin(fmax(get(wanted, bits), -9e18), 9e18));
	case TERM_FROM_UNSIGNED: return (uint64_t)llrint(fmin(fmax(get(wanted, bits), 0), 9e18));
	case TERM_TO_SIGNED: return put((double)term_signed(wanted, bits), n->width);
	case TERM_TO_UNSIGNED: return put((double)wanted, n->width);
	case TERM_FEQ:
	case TERM_FLT:
	case TERM_FLE:
	case TERM_FNAN:
		return put(compare_number(n, first, get(other, n->width), wanted, random),
		           n->width);
	default:
		return put(invert_number(n, first, get(other, n->width), get(wanted, bits)),
		           n->width);
	}
}

/* --- all --- */

static bool is_constant(const struct walk_node *all, uint32_t at)
{
	return all[at].node.op == TERM_CONSTANT;
}

static bool invert_concat(const struct walk_node *all, const struct walk_node *n, uint64_t wanted,
                          uint64_t random, struct walk_wish *out)
{
	uint32_t low = all[n->b].node.bits;
	uint64_t up = wanted >> low, down = wanted & term_mask(low);
	bool first = up != all[n->a].value && !is_constant(all, n->a) &&
	             (random & 1 || down == all[n->b].value || is_constant(all, n->b));

	*out = first ? (struct walk_wish){n->a, up} : (struct walk_wish){n->b, down};
	return true;
}

static bool invert_one(const struct walk_node *all, const struct walk_node *n, uint64_t wanted,
                       struct walk_wish *out)
{
	uint64_t field = term_mask(n->node.bits) << n->node.low;

	if (n->node.op == TERM_EXTRACT)
		wanted = (all[n->a].value & ~field) | (wanted << n->node.low & field);
	*out = (struct walk_wish){n->a, wanted};
	return true;
}

/* Shall the first of two operands change? Of a sum mostly the larger one, which has the smaller part of the change. */
static bool chooses_first(const struct walk_node *all, const struct walk_node *n, uint64_t random)
{
	int64_t a = term_signed(all[n->a].value, n->width), b;

	if (!n->node.b || is_constant(all, n->b))
		return true;
	if (is_constant(all, n->a))
		return false;
	b = term_signed(all[n->b].value, n->width);
	if ((n->node.op != TERM_ADD && n->node.op != TERM_SUB) || !(random >> 40 & 7))
		return random >> 43 & 1;
	return fabs((double)a) >= fabs((double)b);
}

/* Chooses an operand of a node and what it must be, or nearly; `random` is any number. False: none can change. */
static bool walk_invert(const struct walk_node *all, uint32_t at, uint64_t wanted, uint64_t random,
                        struct walk_wish *out)
{
	const struct walk_node *n = &all[at];
	bool first = chooses_first(all, n, random);
	uint64_t own = all[first ? n->a : n->b].value,
		 other = n->node.b ? all[first ? n->b : n->a].value : 0;

	switch (n->node.op) {
	case TERM_CONSTANT:
	case TERM_VARIABLE: return false;
	case TERM_CONCAT: return invert_concat(all, n, wanted, random, out);
	case TERM_CHOICE: {
		bool now = all[n->a].value != 0;
		uint32_t arm = now ? n->b : n->c;

		/* The condition often decides about other terms, too, so it is inverted only rarely. */
		if (is_constant(all, arm) || random % 32 == 0)
			*out = (struct walk_wish){n->a, !now};
		else
			*out = (struct walk_wish){arm, wanted};
		return true;
	}
	case TERM_ZEXT:
	case TERM_SEXT:
	case TERM_EXTRACT: return invert_one(all, n, wanted, out);
	default: break;
	}
	out->at = first ? n->a : n->b;
	if (term_is_float_op(n->node.op))
		out->value = invert_float(n, first, other, wanted, random);
	else if (n->node.op >= TERM_EQ && n->node.op <= TERM_SLE)
		out->value = invert_compare(n, first, own, other, wanted, random);
	else
		out->value = invert_two(n, first, own, other, wanted, random);
	return true;
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
			/* Changes the variable at the end of a way down from a root that is not true. */
			struct walk_wish wish = {w->wrong.at[draw(w) % w->wrong.size], 1};

			while (walk_invert(w->nodes.at, wish.at, wish.value, draw(w), &wish))
				wish.value &= term_mask(w->nodes.at[wish.at].node.bits);
			if (w->nodes.at[wish.at].node.op == TERM_VARIABLE)
				w->nodes.at[wish.at].value = wish.value;
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
	const struct terms *terms = w.solver->terms;
	struct index_map indices = MAP_INIT;
	struct term_order order;

	term_order_make(terms, all, count, &order);
	for (uint32_t i = 0; i < order.nodes.size; i++) {
		struct walk_node n = {.node = *term_at(terms, order.nodes.at[i])};

		if (n.node.a) {
			n.a = *index_map_find(&indices, n.node.a);
			n.width = w.nodes.at[n.a].node.bits;
		}
		if (n.node.b)
			n.b = *index_map_find(&indices, n.node.b);
		if (n.node.c)
			n.c = *index_map_find(&indices, n.node.c);
		if (n.node.op == TERM_CONSTANT)
			n.value = n.node.value;
		*index_map_put(&indices, order.nodes.at[i]) = i;
		*vec_push(&w.nodes) = n;
	}
	for (uint32_t i = 0; i < count; i++)
		*vec_push(&w.roots) = *index_map_find(&indices, all[i]);
	index_map_deinit(&indices);
	term_order_deinit(&order);
	rounds = 1 + MOST_STEPS / (w.nodes.size + 1);
	found = find(&w, rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS);
	if (found)
		for (uint32_t i = 0; i < w.nodes.size; i++)
			if (w.nodes.at[i].node.op == TERM_VARIABLE)
				*solver_values_put(&w.solver->values, w.nodes.at[i].node.value) =
					w.nodes.at[i].value;
	vec_deinit(&w.nodes);
	vec_deinit(&w.roots);
	vec_deinit(&w.wrong);
	return found;
}
