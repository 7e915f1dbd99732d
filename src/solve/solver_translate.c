/*
 * Terms in Z3's words. What has one bit is truth there, since that is what Z3 decides on; where a bit is computed with,
 * it is made a vector. A floating-point operation is one on Z3's floats; where its bits are needed they are a
 * new constant of which it is said that it has this value, since Z3 knows only one NaN.
 */
#include <assert.h>

#include "solve/solver_work.h"
#include "solve/term_print.h"
#include "solve/term_work.h"

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

Z3_ast solver_translate(struct solver_session *s, term root)
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
