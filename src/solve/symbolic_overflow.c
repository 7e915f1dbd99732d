/* Sums, differences and products that tell whether they fit: see symbolic_work.h. */
#include <string.h>

#include "solve/symbolic_work.h"

/* What is being made. */
struct making {
	struct terms *terms;
	enum term_op op;
	bool is_signed;
	uint32_t bits; /* of each operand */
	term a, b;
	term result;
};

static bool prepare(struct terms *terms, LLVMValueRef call, const term *in, struct making *out)
{
	const char *name = ir_intrinsic(call);
	enum term_op op;

	if (!name || !strstr(name, ".with.overflow."))
		return false;
	op = !strncmp(name + 1, "add", 3)   ? TERM_ADD
	     : !strncmp(name + 1, "sub", 3) ? TERM_SUB
	                                    : TERM_MUL;
	*out = (struct making){terms, op, name[0] == 's', term_at(terms, in[0])->bits, in[0],
	                       in[1], 0};
	out->result = term_make(terms, op, out->bits, in[0], in[1], 0);
	return true;
}

static term make(const struct making *m, enum term_op op, term a, term b)
{
	return term_make(m->terms, op, op >= TERM_EQ && op <= TERM_SLE ? 1 : m->bits, a, b, 0);
}

static term number(const struct making *m, uint64_t value)
{
	return term_constant(m->terms, m->bits, value & symbolic_mask(m->bits));
}

static term logical(const struct making *m, enum term_op op, term a, term b)
{
	return term_make(m->terms, op, 1, a, b, 0);
}

/* Is the exact result, in twice as many bits, another one? */
static term differs(const struct making *m)
{
	enum term_op extend = m->is_signed ? TERM_SEXT : TERM_ZEXT;
	uint32_t wide = 2 * m->bits;
	term a = term_make(m->terms, extend, wide, m->a, 0, 0);
	term b = term_make(m->terms, extend, wide, m->b, 0, 0);
	term exact = term_make(m->terms, m->op, wide, a, b, 0);

	return term_not(m->terms, term_make(m->terms, TERM_EQ, 1, exact,
	                                    term_make(m->terms, extend, wide, m->result, 0, 0), 0));
}

/* A product divided again gives the other factor; but for the smallest number times -1. */
static term product_overflows(const struct making *m)
{
	term again = make(m, m->is_signed ? TERM_SDIV : TERM_UDIV, m->result, m->a);
	term wrong = term_not(m->terms, make(m, TERM_EQ, again, m->b));
	term corner = logical(m, TERM_AND, make(m, TERM_EQ, m->a, number(m, UINT64_MAX)),
	                      make(m, TERM_EQ, m->b, number(m, 1ull << (m->bits - 1))));

	if (m->is_signed)
		wrong = logical(m, TERM_OR, wrong, corner);
	return logical(m, TERM_AND, wrong,
	               term_not(m->terms, make(m, TERM_EQ, m->a, number(m, 0))));
}

/* Where there are no twice as many bits: by the signs. */
static term overflows(const struct making *m)
{
	term other = m->op == TERM_ADD ? m->result : m->a;

	if (m->bits <= 32)
		return differs(m);
	if (m->op == TERM_MUL)
		return product_overflows(m);
	if (!m->is_signed)
		return m->op == TERM_ADD ? make(m, TERM_ULT, m->result, m->a)
		                         : make(m, TERM_ULT, m->a, m->b);
	return make(m, TERM_SLT,
	            make(m, TERM_AND, make(m, TERM_XOR, m->a, m->result),
	                 make(m, TERM_XOR, m->b, other)),
	            number(m, 0));
}

term symbolic_compute_overflow(struct terms *terms, LLVMValueRef call, const term *in)
{
	uint32_t total = symbolic_type_bits(call, LLVMTypeOf(call)), below;
	struct making m;

	if (!total || !prepare(terms, call, in, &m))
		return 0;
	below = m.bits <= 8 ? 8 : m.bits <= 16 ? 16 : 32;
	return term_make(terms, TERM_CONCAT, total,
	                 symbolic_fit(terms, overflows(&m), total - below),
	                 symbolic_fit(terms, m.result, below), 0);
}

term symbolic_overflow_part(struct terms *terms, LLVMValueRef call, const term *in, bool flag)
{
	struct making m;

	if (!prepare(terms, call, in, &m))
		return 0;
	return flag ? overflows(&m) : m.result;
}
