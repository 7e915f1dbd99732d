/* Questions: constants, guesses, then Z3; and minimal cores. */
#include "solve/solver.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <time.h>

#include <z3.h>

#include "base/budget.h"
#include "base/map.h"

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

/* ------ guesses before Z3 is asked ------ */

/*
 * Most questions can be satisfied, by a change of a few values of the run. So a walk begins there: a term that is
 * not true is chosen, and on the way down from it what an operand must be for that, until a variable is reached and
 * changed. That is much faster than Z3 where it ends, and it ends soon or not at all.
 */

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

/* A value of the assignment that was found: for term_evaluate(), with the solver as context. */
static uint64_t solver_assigned(void *context, uint64_t number)
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

bool solver_try(struct solver *solver, const term *all, uint32_t count, solver_guess *guess,
                void *context)
{
	struct walk w = {.solver = solver, .random = 88172645463325252u};
	uint32_t rounds;
	bool found;

	solver->guess = guess;
	solver->guess_context = context;
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

/* ------ a question as a file for any SMT solver ------ */

/* One definition a line, so that lines can be left out. */

void solver_print(const struct solver *solver, const term *all, uint32_t count, struct str *out)
{
	struct term_order order;
	bool floats = false;

	term_order_make(solver->terms, all, count, &order);
	for (uint32_t i = 0; i < order.nodes.size; i++)
		floats |= term_is_float_op(term_at(solver->terms, order.nodes.at[i])->op);
	str_printf(out, "(set-logic %s)\n", floats ? "QF_BVFP" : "QF_BV");
	for (uint32_t i = 0; i < order.nodes.size; i++) {
		/* Bits of a float are a constant that has its value: there is no standard function that gives them. */
		const struct terms *terms = solver->terms;
		term t = order.nodes.at[i];
		const struct term_node *n = term_at(terms, t);
		bool is_float = term_gives_float(n->op);

		if (n->op == TERM_CONSTANT)
			continue;
		str_add(out,
		        n->op == TERM_VARIABLE || is_float ? "(declare-const " : "(define-fun ");
		term_print_name(terms, t, out);
		str_printf(out, "%s (_ BitVec %u)", n->op == TERM_VARIABLE || is_float ? "" : " ()",
		           n->bits);
		if (n->op == TERM_VARIABLE || is_float) {
			str_add(out, ")\n");
		} else {
			str_add_char(out, ' ');
			term_print_operation(terms, t, false, out);
			str_add(out, ")\n");
		}
		if (!is_float)
			continue;
		str_add(out, "(assert (= ");
		term_print_float(terms, t, out);
		str_add_char(out, ' ');
		term_print_operation(terms, t, false, out);
		str_add(out, "))\n");
	}
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, "(assert (! (= ");
		term_print_name(solver->terms, all[i], out);
		str_printf(out, " #b1) :named a%u))\n", i);
	}
	str_add(out, "(check-sat)\n");
	term_order_deinit(&order);
}

/* ------ terms in Z3's words ------ */

/* Terms in Z3's words, each asserted if its own selector is assumed. */
struct solver_session {
	struct solver *solver;
	Z3_solver z3;
	VEC(Z3_ast) of;        /* by term: what it became; NULL: nothing yet */
	VEC(Z3_ast) floats;    /* by term: as a floating-point number; NULL: not asked for */
	VEC(Z3_ast) selectors; /* one for each term of the question */
	bool broken;           /* Z3 refused something */
};

/*
 * What has one bit is truth there, since that is what Z3 decides on; where a bit is computed with, it is made a
 * vector. A floating-point operation is one on Z3's floats; where its bits are needed they are a new constant of
 * which it is said that it has this value, since Z3 knows only one NaN.
 */

static Z3_context context_of(const struct solver_session *s)
{
	return s->solver->z3;
}

static const struct term_node *node_of(const struct solver_session *s, term t)
{
	return term_at(s->solver->terms, t);
}

static Z3_ast number(const struct solver_session *s, uint32_t bits, uint64_t value)
{
	Z3_context z3 = context_of(s);

	return Z3_mk_unsigned_int64(z3, value, Z3_mk_bv_sort(z3, bits));
}

/* As a vector of bits. */
static Z3_ast bits_of(const struct solver_session *s, term t)
{
	Z3_ast z = s->of.at[t];

	if (node_of(s, t)->bits != 1)
		return z;
	return Z3_mk_ite(context_of(s), z, number(s, 1, 1), number(s, 1, 0));
}

static Z3_sort float_sort(const struct solver_session *s, uint32_t bits)
{
	return bits == 32 ? Z3_mk_fpa_sort_32(context_of(s)) : Z3_mk_fpa_sort_64(context_of(s));
}

static Z3_ast float_of(struct solver_session *s, term t)
{
	if (!s->floats.at[t])
		s->floats.at[t] = Z3_mk_fpa_to_fp_bv(context_of(s), s->of.at[t],
		                                     float_sort(s, node_of(s, t)->bits));
	return s->floats.at[t];
}

/* --- operations --- */

static Z3_ast translate_truth(struct solver_session *s, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast both[2] = {s->of.at[n->a], s->of.at[n->b]};

	switch (n->op) {
	case TERM_AND: return Z3_mk_and(z3, 2, both);
	case TERM_OR: return Z3_mk_or(z3, 2, both);
	default: return Z3_mk_xor(z3, both[0], both[1]);
	}
}

static Z3_ast translate_two(struct solver_session *s, const struct term_node *n)
{
	typedef Z3_ast binary(Z3_context, Z3_ast, Z3_ast);
	static binary *const makers[TERM_OPS] = {
		[TERM_ADD] = Z3_mk_bvadd,   [TERM_SUB] = Z3_mk_bvsub,
		[TERM_MUL] = Z3_mk_bvmul,   [TERM_UDIV] = Z3_mk_bvudiv,
		[TERM_SDIV] = Z3_mk_bvsdiv, [TERM_UREM] = Z3_mk_bvurem,
		[TERM_SREM] = Z3_mk_bvsrem, [TERM_AND] = Z3_mk_bvand,
		[TERM_OR] = Z3_mk_bvor,     [TERM_XOR] = Z3_mk_bvxor,
		[TERM_SHL] = Z3_mk_bvshl,   [TERM_LSHR] = Z3_mk_bvlshr,
		[TERM_ASHR] = Z3_mk_bvashr, [TERM_CONCAT] = Z3_mk_concat,
		[TERM_EQ] = Z3_mk_eq,       [TERM_ULT] = Z3_mk_bvult,
		[TERM_ULE] = Z3_mk_bvule,   [TERM_SLT] = Z3_mk_bvslt,
		[TERM_SLE] = Z3_mk_bvsle,
	};

	return makers[n->op](context_of(s), bits_of(s, n->a), bits_of(s, n->b));
}

static Z3_ast translate_compare(struct solver_session *s, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast a = float_of(s, n->a);

	switch (n->op) {
	case TERM_FEQ: return Z3_mk_fpa_eq(z3, a, float_of(s, n->b));
	case TERM_FLT: return Z3_mk_fpa_lt(z3, a, float_of(s, n->b));
	case TERM_FLE: return Z3_mk_fpa_leq(z3, a, float_of(s, n->b));
	default: return Z3_mk_fpa_is_nan(z3, a);
	}
}

static Z3_ast translate_float(struct solver_session *s, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast nearest = Z3_mk_fpa_rne(z3);
	Z3_sort sort = float_sort(s, n->bits);

	switch (n->op) {
	case TERM_FADD: return Z3_mk_fpa_add(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FSUB: return Z3_mk_fpa_sub(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FMUL: return Z3_mk_fpa_mul(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FDIV: return Z3_mk_fpa_div(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FSQRT: return Z3_mk_fpa_sqrt(z3, nearest, float_of(s, n->a));
	case TERM_FROM_SIGNED: return Z3_mk_fpa_to_fp_signed(z3, nearest, bits_of(s, n->a), sort);
	case TERM_FROM_UNSIGNED:
		return Z3_mk_fpa_to_fp_unsigned(z3, nearest, bits_of(s, n->a), sort);
	default: return Z3_mk_fpa_to_fp_float(z3, nearest, float_of(s, n->a), sort);
	}
}

/* Bits that have the value of a float. */
static Z3_ast bits_with_value(struct solver_session *s, term t, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast bits = Z3_mk_fresh_const(z3, "bits", Z3_mk_bv_sort(z3, n->bits));
	Z3_ast value = Z3_mk_fpa_to_fp_bv(z3, bits, float_sort(s, n->bits));

	s->floats.at[t] = translate_float(s, n);
	Z3_solver_assert(z3, s->z3, Z3_mk_eq(z3, value, s->floats.at[t]));
	return bits;
}

/* As a vector, whatever the width. */
static Z3_ast translate_bits(struct solver_session *s, term t, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	uint32_t more = n->bits - node_of(s, n->a)->bits;

	if (term_gives_float(n->op))
		return bits_with_value(s, t, n);
	switch (n->op) {
	case TERM_ZEXT: return Z3_mk_zero_ext(z3, more, bits_of(s, n->a));
	case TERM_SEXT: return Z3_mk_sign_ext(z3, more, bits_of(s, n->a));
	case TERM_EXTRACT:
		return Z3_mk_extract(z3, n->low + n->bits - 1u, n->low, bits_of(s, n->a));
	case TERM_TO_SIGNED:
		return Z3_mk_fpa_to_sbv(z3, Z3_mk_fpa_rtz(z3), float_of(s, n->a), n->bits);
	case TERM_TO_UNSIGNED:
		return Z3_mk_fpa_to_ubv(z3, Z3_mk_fpa_rtz(z3), float_of(s, n->a), n->bits);
	default: return translate_two(s, n);
	}
}

static Z3_ast translate_leaf(struct solver_session *s, term t, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_sort sort = n->bits == 1 ? Z3_mk_bool_sort(z3) : Z3_mk_bv_sort(z3, n->bits);

	if (n->op == TERM_VARIABLE)
		return Z3_mk_const(z3, Z3_mk_int_symbol(z3, (int)t), sort);
	if (n->bits == 1)
		return n->value ? Z3_mk_true(z3) : Z3_mk_false(z3);
	return number(s, n->bits, n->value);
}

static Z3_ast translate_node(struct solver_session *s, term t)
{
	const struct term_node *n = node_of(s, t);
	Z3_context z3 = context_of(s);

	if (n->op <= TERM_VARIABLE)
		return translate_leaf(s, t, n);
	if (n->op == TERM_CHOICE)
		return Z3_mk_ite(z3, s->of.at[n->a], s->of.at[n->b], s->of.at[n->c]);
	if (n->bits != 1)
		return translate_bits(s, t, n);
	if (n->op >= TERM_FEQ && n->op <= TERM_FNAN)
		return translate_compare(s, n);
	if (n->op >= TERM_EQ && n->op <= TERM_SLE)
		return translate_two(s, n);
	if (n->op >= TERM_AND && n->op <= TERM_XOR)
		return translate_truth(s, n);
	return Z3_mk_eq(z3, translate_bits(s, t, n), number(s, 1, 1));
}

/* A term of one bit as Z3's truth; its operands first. */
static Z3_ast solver_translate(struct solver_session *s, term root)
{
	struct term_order order;

	term_order_make(s->solver->terms, &root, 1, &order);
	for (uint32_t i = 0; i < order.nodes.size && !s->broken; i++) {
		term t = order.nodes.at[i];

		if (s->of.at[t])
			continue;
		s->of.at[t] = translate_node(s, t);
		s->solver->made++;
		s->broken = Z3_get_error_code(context_of(s)) != Z3_OK;
	}
	term_order_deinit(&order);
	return s->broken ? NULL : s->of.at[root];
}

/* ------ Z3 at work ------ */

/*
 * Within its budget of steps, and until a thread that asks every tenth of a second says stop. Errors of Z3 are
 * noted and make a question unknown; they must not end the process.
 */

#define RENEW_AFTER 300000 /* nodes in a context */

static void ignore_error(Z3_context z3, Z3_error_code code)
{
}

static void add_term(struct solver_session *s, term t)
{
	Z3_context z3 = s->solver->z3;
	Z3_ast selector = Z3_mk_fresh_const(z3, "use", Z3_mk_bool_sort(z3));
	Z3_ast truth = solver_translate(s, t);

	*vec_push(&s->selectors) = selector;
	if (truth)
		Z3_solver_assert(z3, s->z3, Z3_mk_implies(z3, selector, truth));
}

static void solver_close(struct solver_session *session);

/* False: too large, or Z3 is out of order; nothing needs to be closed then. */
static bool solver_open(struct solver *solver, const term *all, uint32_t count,
                        const struct solver_variables *survey, struct solver_session *out)
{
	struct solver_session s = {.solver = solver};
	uint32_t terms = terms_count(solver->terms) + 1;
	double begin = budget_clock();

	Z3_config config;

	if (!solver->z3 || solver->made >= RENEW_AFTER) {
		if (solver->z3)
			Z3_del_context(solver->z3);
		config = Z3_mk_config();
		Z3_set_param_value(config, "model", "true");
		solver->z3 = Z3_mk_context(config);
		Z3_del_config(config);
		Z3_set_error_handler(solver->z3, ignore_error);
		solver->made = 0;
	}
	if (!solver->z3)
		return false;
	Z3_context z3 = s.solver->z3;
	uint32_t steps = s.solver->options.steps;
	Z3_params params = Z3_mk_params(z3);

	Z3_params_inc_ref(z3, params); /* before anything else is made */
	s.z3 = Z3_mk_simple_solver(z3);
	Z3_solver_inc_ref(z3, s.z3);
	Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
	                   (survey->floats > 0) ? 1 + steps / 4 : steps); /* they take longer */
	Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "random_seed"), 0);
	Z3_solver_set_params(z3, s.z3, params);
	Z3_params_dec_ref(z3, params);
	s.of.at = mem_alloc(terms * sizeof(*s.of.at));
	s.floats.at = mem_alloc(terms * sizeof(*s.floats.at));
	for (uint32_t i = 0; i < count; i++)
		add_term(&s, all[i]);
	solver->counts.seconds += budget_clock() - begin;
	if (s.broken) {
		solver_close(&s);
		return false;
	}
	*out = s;
	return true;
}

static void solver_close(struct solver_session *s)
{
	Z3_solver_dec_ref(s->solver->z3, s->z3);
	vec_deinit(&s->of);
	vec_deinit(&s->floats);
	vec_deinit(&s->selectors);
}

/* --- asking --- */

struct watch {
	struct solver *solver;
	double until;
	pthread_mutex_t lock;
	pthread_cond_t done_changed;
	bool done;
};

/* Waits a tenth of a second, or until Z3 is done. */
static bool wait_done(struct watch *watch)
{
	struct timespec until;
	bool done;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 100000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&watch->lock);
	while (!watch->done &&
	       pthread_cond_timedwait(&watch->done_changed, &watch->lock, &until) != ETIMEDOUT)
		;
	done = watch->done;
	pthread_mutex_unlock(&watch->lock);
	return done;
}

static void *watch_stop(void *argument)
{
	struct watch *watch = argument;
	struct solver *solver = watch->solver;

	while (!wait_done(watch)) {
		if (solver->options.stop && solver->options.stop(solver->options.context))
			solver->stopped = true;
		if (solver->stopped || budget_clock() > watch->until)
			Z3_interrupt(solver->z3);
	}
	return NULL;
}

static Z3_lbool check(struct solver_session *s, uint32_t count, const Z3_ast *assumptions)
{
	struct watch watch = {.solver = s->solver,
	                      .until = budget_clock() + s->solver->options.seconds / 10};
	Z3_lbool answer;
	pthread_t thread;
	bool watched;

	pthread_mutex_init(&watch.lock, NULL);
	pthread_cond_init(&watch.done_changed, NULL);
	watched = !pthread_create(&thread, NULL, watch_stop, &watch);
	answer = Z3_solver_check_assumptions(s->solver->z3, s->z3, count, assumptions);
	if (watched) {
		pthread_mutex_lock(&watch.lock);
		watch.done = true;
		pthread_cond_signal(&watch.done_changed);
		pthread_mutex_unlock(&watch.lock);
		pthread_join(thread, NULL);
	}
	pthread_cond_destroy(&watch.done_changed);
	pthread_mutex_destroy(&watch.lock);
	return Z3_get_error_code(s->solver->z3) == Z3_OK ? answer : Z3_L_UNDEF;
}

/* Asks whether those that are chosen can all be true. */
static enum solver_answer solver_ask(struct solver_session *s, const bool *chosen)
{
	struct solver *solver = s->solver;
	VEC(Z3_ast) assumptions = VEC_INIT;
	double begin = budget_clock();
	Z3_lbool answer = Z3_L_UNDEF;

	for (uint32_t i = 0; i < s->selectors.size; i++)
		if (chosen[i])
			*vec_push(&assumptions) = s->selectors.at[i];
	solver->counts.calls++;
	if (!solver->stopped)
		answer = check(s, assumptions.size, assumptions.at);
	solver->counts.seconds += budget_clock() - begin;
	solver->stopped |= solver->counts.seconds > solver->options.seconds;
	solver->counts.unknown += answer == Z3_L_UNDEF;
	vec_deinit(&assumptions);
	return answer == Z3_L_FALSE  ? SOLVER_UNSATISFIABLE
	       : answer == Z3_L_TRUE ? SOLVER_SATISFIABLE
	                             : SOLVER_UNKNOWN;
}

/* --- the model --- */

static bool read_value(Z3_context z3, Z3_ast value, uint64_t *out)
{
	Z3_lbool truth;

	if (!value)
		return false;
	truth = Z3_get_bool_value(z3, value);
	if (truth != Z3_L_UNDEF) {
		*out = truth == Z3_L_TRUE;
		return true;
	}
	return Z3_get_ast_kind(z3, value) == Z3_NUMERAL_AST &&
	       Z3_get_numeral_uint64(z3, value, out);
}

/* After SOLVER_SATISFIABLE: keeps the values of variables in the solver. */
static void solver_keep_model(struct solver_session *s, const struct solver_variables *survey)
{
	Z3_context z3 = s->solver->z3;
	Z3_model model = Z3_solver_get_model(z3, s->z3);
	uint64_t value;

	solver_values_deinit(&s->solver->values);
	if (!model)
		return;
	Z3_model_inc_ref(z3, model);
	for (uint32_t i = 0; i < survey->all.size; i++) {
		const struct solver_variable *v = &survey->all.at[i];
		term t = term_variable(s->solver->terms, v->bits, v->number);
		Z3_func_decl decl = Z3_get_app_decl(z3, Z3_to_app(z3, s->of.at[t]));

		if (read_value(z3, Z3_model_get_const_interp(z3, model, decl), &value))
			*solver_values_put(&s->solver->values, v->number) = value;
	}
	Z3_model_dec_ref(z3, model);
}

/* ------ the whole ------ */

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

uint32_t solver_set_steps(struct solver *solver, uint32_t steps)
{
	uint32_t before = solver->options.steps;

	solver->options.steps = steps;
	return before;
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
	solver_survey(solver->terms, all, count, &survey);
	if (solver_try(solver, all, count, guess, context)) {
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
	/*
	 * The shortest prefix that contradicts ends with a term that deletion from the last on would keep, as all after
	 * it can go; then the same with that term given. So each term of the core takes a bisection, and not all terms a question.
	 */
	uint32_t enough = m.count;

	while (enough && !contradicts(&m, 0)) {
		uint32_t few = 0;

		while (enough - few > 1) {
			uint32_t middle = few + (enough - few) / 2;

			if (contradicts(&m, middle))
				enough = middle;
			else
				few = middle;
		}
		m.core[--enough] = true;
	}
	*certain = m.certain;
	free(m.chosen);
	solver_close(&session);
	solver_survey_deinit(&survey);
}
