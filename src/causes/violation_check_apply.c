/* Operators of C on terms: see violation_check.h. */
#include "causes/violation_check.h"

static uint32_t bits_of(const struct ctype *type)
{
	return (uint32_t)(8 * type->size);
}

static bool is_signed(const struct ctype *type)
{
	return check_is_integer(type) && type->kind != CTYPE_BOOL && type->is_signed;
}

static struct check_value make_value(const struct ctype *type, term value)
{
	return (struct check_value){.type = type, .value = value};
}

static struct check_value truth(struct check_evaluator *e, term t, bool negated)
{
	if (negated)
		t = term_not(e->terms, t);
	return make_value(check_basic(BASIC_INT), term_make(e->terms, TERM_ZEXT, 32, t, 0, 0));
}

/* --- conversions --- */

static term resize(struct check_evaluator *e, term t, bool sign, uint32_t to)
{
	uint32_t from = term_at(e->terms, t)->bits;

	if (from == to)
		return t;
	if (from > to)
		return term_extract(e->terms, t, 0, to);
	return term_make(e->terms, sign ? TERM_SEXT : TERM_ZEXT, to, t, 0, 0);
}

/* A small integer is one of int first: what does not fit into it is not defined then. */
static term real_to_integer(struct check_evaluator *e, struct check_value v, const struct ctype *to)
{
	uint32_t bits = bits_of(to) < 32 ? 32 : bits_of(to);
	bool sign = is_signed(to) || bits_of(to) < 32;

	return resize(
		e,
		term_make(e->terms, sign ? TERM_TO_SIGNED : TERM_TO_UNSIGNED, bits, v.value, 0, 0),
		false, bits_of(to));
}

term check_is_true(struct check_evaluator *e, struct check_value v)
{
	term zero = term_constant(e->terms, bits_of(v.type), 0);
	enum term_op op = check_is_real(v.type) ? TERM_FEQ : TERM_EQ;

	return term_not(e->terms, term_make(e->terms, op, 1, v.value, zero, 0));
}

term check_convert(struct check_evaluator *e, struct check_value v, const struct ctype *to)
{
	bool from_real = check_is_real(v.type), to_real = check_is_real(to);

	if (to->kind == CTYPE_BOOL)
		return resize(e, check_is_true(e, v), false, 8);
	if (from_real && to_real)
		return v.type->size == to->size
		               ? v.value
		               : term_make(e->terms, TERM_RESIZE, bits_of(to), v.value, 0, 0);
	if (from_real)
		return real_to_integer(e, v, to);
	if (to_real)
		return term_make(e->terms,
		                 is_signed(v.type) ? TERM_FROM_SIGNED : TERM_FROM_UNSIGNED,
		                 bits_of(to),
		                 resize(e, v.value, is_signed(v.type),
		                        v.type->size < 4 ? 32 : bits_of(v.type)),
		                 0, 0);
	return resize(e, v.value, is_signed(v.type), bits_of(to));
}

static struct check_value promote(struct check_evaluator *e, struct check_value v)
{
	const struct ctype *type = check_promoted(v.type, 0);

	return make_value(type, check_convert(e, v, type));
}

/* --- pointers --- */

static struct check_value refuse(struct check_evaluator *e, const struct check_node *node,
                                 const char *why)
{
	check_fail(e, node, true, str_format("%s", why));
	return make_value(check_basic(BASIC_INT), term_constant(e->terms, 32, 0));
}

/* Bytes of what it points to; 0: not known. */
static uint64_t step_of(const struct ctype *pointer)
{
	const struct ctype *target = ctype_strip(pointer->target);

	if (!target || target->kind == CTYPE_VOID || target->kind == CTYPE_FUNCTION)
		return 1;
	return target->size;
}

static struct check_value move(struct check_evaluator *e, const struct check_node *node,
                               struct check_value pointer, struct check_value by, enum term_op op)
{
	uint64_t step = step_of(pointer.type);
	term distance;

	if (!check_is_integer(by.type))
		return refuse(e, node, "a pointer is moved by what is no integer");
	if (!step)
		return refuse(e, node, "the size of what the pointer points to is not known");
	distance = term_make(e->terms, TERM_MUL, 64, resize(e, by.value, is_signed(by.type), 64),
	                     term_constant(e->terms, 64, step), 0);
	return make_value(pointer.type, term_make(e->terms, op, 64, pointer.value, distance, 0));
}

static struct check_value distance(struct check_evaluator *e, const struct check_node *node,
                                   struct check_value a, struct check_value b)
{
	uint64_t step = step_of(a.type);
	term bytes = term_make(e->terms, TERM_SUB, 64, a.value, b.value, 0);

	if (!step || step_of(b.type) != step)
		return refuse(e, node, "the pointers are of different types");
	return make_value(check_basic(BASIC_LONG), term_make(e->terms, TERM_SDIV, 64, bytes,
	                                                     term_constant(e->terms, 64, step), 0));
}

static struct check_value compare(struct check_evaluator *e, const struct check_node *node,
                                  const struct ctype *type, term a, term b)
{
	bool real = check_is_real(type), sign = is_signed(type);
	enum term_op less = real ? TERM_FLT : sign ? TERM_SLT : TERM_ULT;
	enum term_op least = real ? TERM_FLE : sign ? TERM_SLE : TERM_ULE;
	enum term_op equal = real ? TERM_FEQ : TERM_EQ;

	switch (node->op) {
	case CHECK_LT: return truth(e, term_make(e->terms, less, 1, a, b, 0), false);
	case CHECK_LE: return truth(e, term_make(e->terms, least, 1, a, b, 0), false);
	case CHECK_GT: return truth(e, term_make(e->terms, less, 1, b, a, 0), false);
	case CHECK_GE: return truth(e, term_make(e->terms, least, 1, b, a, 0), false);
	default: return truth(e, term_make(e->terms, equal, 1, a, b, 0), node->op == CHECK_NE);
	}
}

static bool compares(enum check_op op)
{
	return op >= CHECK_LT && op <= CHECK_NE;
}

static struct check_value apply_pointers(struct check_evaluator *e, const struct check_node *node,
                                         struct check_value a, struct check_value b)
{
	const struct ctype *type = check_is_pointer(a.type) ? a.type : b.type;
	bool two = check_is_pointer(a.type) && check_is_pointer(b.type);

	if (compares(node->op) && !check_is_real(a.type) && !check_is_real(b.type))
		return compare(e, node, type, resize(e, a.value, is_signed(a.type), 64),
		               resize(e, b.value, is_signed(b.type), 64));
	if (node->op == CHECK_SUB && two)
		return distance(e, node, a, b);
	if (node->op == CHECK_SUB && check_is_pointer(a.type))
		return move(e, node, a, b, TERM_SUB);
	if (node->op == CHECK_ADD && !two)
		return check_is_pointer(a.type) ? move(e, node, a, b, TERM_ADD)
		                                : move(e, node, b, a, TERM_ADD);
	return refuse(e, node, "this cannot be done with a pointer");
}

/* --- numbers --- */

static struct check_value apply_reals(struct check_evaluator *e, const struct check_node *node,
                                      const struct ctype *type, term a, term b)
{
	enum term_op op;

	switch (node->op) {
	case CHECK_ADD: op = TERM_FADD; break;
	case CHECK_SUB: op = TERM_FSUB; break;
	case CHECK_MUL: op = TERM_FMUL; break;
	case CHECK_DIV: op = TERM_FDIV; break;
	default: return refuse(e, node, "this cannot be done with floating point");
	}
	return make_value(type, term_make(e->terms, op, bits_of(type), a, b, 0));
}

static struct check_value divide(struct check_evaluator *e, const struct check_node *node,
                                 const struct ctype *type, term a, term b)
{
	bool rest = node->op == CHECK_REM, sign = is_signed(type);
	enum term_op op = rest ? sign ? TERM_SREM : TERM_UREM : sign ? TERM_SDIV : TERM_UDIV;

	if (!check_actual(e, b))
		check_fail(e, node, false, str_format("something is divided by 0"));
	return make_value(type, term_make(e->terms, op, bits_of(type), a, b, 0));
}

static struct check_value apply_integers(struct check_evaluator *e, const struct check_node *node,
                                         const struct ctype *type, term a, term b)
{
	enum term_op op;

	switch (node->op) {
	case CHECK_ADD: op = TERM_ADD; break;
	case CHECK_SUB: op = TERM_SUB; break;
	case CHECK_MUL: op = TERM_MUL; break;
	case CHECK_AND: op = TERM_AND; break;
	case CHECK_OR: op = TERM_OR; break;
	case CHECK_XOR: op = TERM_XOR; break;
	default: return divide(e, node, type, a, b);
	}
	return make_value(type, term_make(e->terms, op, bits_of(type), a, b, 0));
}

/* The type is that of the left side alone. */
static struct check_value shift(struct check_evaluator *e, const struct check_node *node,
                                struct check_value a, struct check_value b)
{
	uint32_t bits = bits_of(a.type);
	enum term_op op = node->op == CHECK_SHL ? TERM_SHL
	                  : is_signed(a.type)   ? TERM_ASHR
	                                        : TERM_LSHR;

	if (check_actual(e, b.value) >= bits)
		check_fail(e, node, false, str_format("something is shifted too far"));
	return make_value(
		a.type, term_make(e->terms, op, bits, a.value, resize(e, b.value, false, bits), 0));
}

static struct check_value apply_binary(struct check_evaluator *e, const struct check_node *node,
                                       struct check_value a, struct check_value b)
{
	const struct ctype *type;
	term x, y;

	if (check_is_pointer(a.type) || check_is_pointer(b.type))
		return apply_pointers(e, node, a, b);
	a = promote(e, a);
	b = promote(e, b);
	if (node->op == CHECK_SHL || node->op == CHECK_SHR) {
		if (check_is_real(a.type) || check_is_real(b.type))
			return refuse(e, node, "this cannot be done with floating point");
		return shift(e, node, a, b);
	}
	type = check_common(a.type, b.type);
	x = check_convert(e, a, type);
	y = check_convert(e, b, type);
	if (compares(node->op))
		return compare(e, node, type, x, y);
	return check_is_real(type) ? apply_reals(e, node, type, x, y)
	                           : apply_integers(e, node, type, x, y);
}

/* --- one operand --- */

static struct check_value negate(struct check_evaluator *e, struct check_value v)
{
	uint32_t bits = bits_of(v.type);
	term top = term_constant(e->terms, bits, 1ull << (bits - 1));

	if (check_is_real(v.type))
		return make_value(v.type, term_make(e->terms, TERM_XOR, bits, v.value, top, 0));
	return make_value(v.type, term_make(e->terms, TERM_SUB, bits,
	                                    term_constant(e->terms, bits, 0), v.value, 0));
}

static struct check_value cast(struct check_evaluator *e, const struct check_node *node,
                               struct check_value v)
{
	if (node->type->kind == CTYPE_VOID)
		return refuse(e, node, "void has no value");
	if ((check_is_pointer(v.type) && check_is_real(node->type)) ||
	    (check_is_real(v.type) && check_is_pointer(node->type)))
		return refuse(e, node, "this cannot be done with a pointer");
	return make_value(node->type, check_convert(e, v, node->type));
}

struct check_value check_apply(struct check_evaluator *e, const struct check_node *node,
                               struct check_value a, struct check_value b)
{
	if (node->op == CHECK_NOT)
		return truth(e, check_is_true(e, a), true);
	if (node->op == CHECK_CAST)
		return cast(e, node, a);
	if (node->b)
		return apply_binary(e, node, a, b);
	if (check_is_pointer(a.type))
		return refuse(e, node, "this cannot be done with a pointer");
	a = promote(e, a);
	if (node->op == CHECK_PLUS)
		return a;
	if (node->op == CHECK_MINUS)
		return negate(e, a);
	if (check_is_real(a.type))
		return refuse(e, node, "this cannot be done with floating point");
	return make_value(a.type, term_not(e->terms, a.value));
}
