/*
 * Terms: random expressions, built as terms and kept beside as a plain list, have the same value for any
 * assignment, before and after variables are replaced; what is simplified is simplified; deep terms need no stack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "solve/term.h"

static uint64_t seed = 7;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint32_t below(uint32_t limit)
{
	return (uint32_t)(draw() >> 20) % limit;
}

static uint64_t mask(uint32_t bits)
{
	return bits == 64 ? ~0ull : (1ull << bits) - 1;
}

/* --- a second opinion, on lists of expressions --- */

struct expression {
	enum term_op op;
	uint32_t bits, low;
	uint64_t value;
	uint32_t a, b, c; /* earlier ones */
	term term;
};

#define VARIABLES   6
#define EXPRESSIONS 60

static __int128 as_signed(uint64_t value, uint32_t bits)
{
	return value >> (bits - 1) & 1 ? (__int128)value - ((__int128)1 << bits) : (__int128)value;
}

static uint64_t slow_divide(const struct expression *e, uint64_t a, uint64_t b, uint32_t bits)
{
	__int128 x = as_signed(a, bits), y = as_signed(b, bits);

	switch (e->op) {
	case TERM_UDIV: return b ? a / b : ~0ull;
	case TERM_UREM: return b ? a % b : a;
	case TERM_SDIV: return b ? (uint64_t)(x / y) : x < 0 ? 1 : ~0ull;
	default: return b ? (uint64_t)(x % y) : a;
	}
}

static uint64_t slow_shift(const struct expression *e, uint64_t a, uint64_t by)
{
	uint64_t sign = a >> (e->bits - 1) & 1;

	for (uint32_t i = 0; i < e->bits && by; i++, by--)
		a = e->op == TERM_SHL ? a << 1
		                      : (a & mask(e->bits)) >> 1 |
		                                (e->op == TERM_ASHR ? sign << (e->bits - 1) : 0);
	return a;
}

static uint64_t slow_value(const struct expression *e, const uint64_t *values, const uint32_t *bits)
{
	uint64_t a = values[e->a], b = values[e->b], c = values[e->c];
	uint32_t width = bits[e->a];

	switch (e->op) {
	case TERM_ADD: return a + b;
	case TERM_SUB: return a - b;
	case TERM_MUL: return a * b;
	case TERM_AND: return a & b;
	case TERM_OR: return a | b;
	case TERM_XOR: return a ^ b;
	case TERM_CONCAT: return a << bits[e->b] | b;
	case TERM_EQ: return a == b;
	case TERM_ULT: return a < b;
	case TERM_ULE: return a <= b;
	case TERM_SLT: return as_signed(a, width) < as_signed(b, width);
	case TERM_SLE: return as_signed(a, width) <= as_signed(b, width);
	case TERM_CHOICE: return a ? b : c;
	case TERM_ZEXT: return a;
	case TERM_SEXT: return (uint64_t)as_signed(a, width);
	case TERM_EXTRACT: return a >> e->low;
	case TERM_SHL:
	case TERM_LSHR:
	case TERM_ASHR: return slow_shift(e, a, b);
	default: return slow_divide(e, a, b, width);
	}
}

/* Any earlier expression of that width; else a fresh constant. */
static uint32_t find_width(struct expression *all, uint32_t *count, struct terms *terms,
                           uint32_t bits)
{
	struct expression *e;

	for (int tries = below(3) ? 40 : 0; tries; tries--) {
		uint32_t i = below(*count);

		if (all[i].bits == bits)
			return i;
	}
	e = &all[*count];
	*e = (struct expression){.op = TERM_CONSTANT, .bits = bits};
	e->value = (below(3) ? below(8) - 2ull : draw()) & mask(bits);
	e->term = term_constant(terms, bits, e->value);
	return (*count)++;
}

static void make_two(struct expression *all, uint32_t *count, struct terms *terms,
                     struct expression *e, uint32_t width)
{
	e->a = below(4) ? below(*count) : find_width(all, count, terms, width);
	e->b = find_width(all, count, terms, all[e->a].bits);
	e->bits = e->op >= TERM_EQ ? 1 : all[e->a].bits;
}

static bool make_any(struct expression *all, uint32_t *count, struct terms *terms,
                     struct expression *e)
{
	static const uint32_t widths[] = {1, 3, 8, 16, 32, 64};
	uint32_t width = widths[below(6)];

	e->op = TERM_ADD + below(TERM_FADD - TERM_ADD);
	e->a = below(*count);
	if (e->op == TERM_CONCAT) {
		e->b = below(*count);
		e->bits = all[e->a].bits + all[e->b].bits;
		return e->bits <= 64;
	}
	if (e->op == TERM_CHOICE) {
		e->a = find_width(all, count, terms, 1);
		e->b = below(*count);
		e->bits = all[e->b].bits;
		e->c = find_width(all, count, terms, e->bits);
		return true;
	}
	if (e->op == TERM_EXTRACT) {
		e->low = below(all[e->a].bits);
		e->bits = 1 + below(all[e->a].bits - e->low);
		if (!below(2) && all[e->a].bits > 8) { /* bytes, as memory has them */
			e->low = e->low / 8 * 8;
			e->bits = 8;
		}
		return e->low + e->bits <= all[e->a].bits;
	}
	if (e->op == TERM_ZEXT || e->op == TERM_SEXT) {
		e->bits = all[e->a].bits + below(65 - all[e->a].bits);
		return true;
	}
	make_two(all, count, terms, e, width);
	return true;
}

static term term_of(struct terms *terms, const struct expression *all, const struct expression *e)
{
	bool three = e->op == TERM_CHOICE;
	bool one = e->op == TERM_ZEXT || e->op == TERM_SEXT;

	if (e->op == TERM_EXTRACT)
		return term_extract(terms, all[e->a].term, e->low, e->bits);
	return term_make(terms, e->op, e->bits, all[e->a].term, one ? 0 : all[e->b].term,
	                 three ? all[e->c].term : 0);
}

static uint32_t make_all(struct terms *terms, struct expression *all)
{
	static const uint32_t widths[VARIABLES] = {1, 3, 8, 8, 32, 64};
	uint32_t count = 0;

	for (; count < VARIABLES; count++)
		all[count] =
			(struct expression){.op = TERM_VARIABLE,
		                            .bits = widths[count],
		                            .value = count,
		                            .term = term_variable(terms, widths[count], count)};
	while (count < EXPRESSIONS) {
		struct expression e = {0};

		if (!make_any(all, &count, terms, &e))
			continue;
		e.term = term_of(terms, all, &e);
		assert_int_equal(term_at(terms, e.term)->bits, e.bits);
		all[count++] = e;
	}
	return count;
}

static uint64_t assigned(void *context, uint64_t number)
{
	return ((uint64_t *)context)[number];
}

static void values_of(const struct expression *all, uint32_t count, uint64_t *values)
{
	uint32_t bits[EXPRESSIONS + 8];

	for (uint32_t i = 0; i < count; i++) {
		bits[i] = all[i].bits;
		if (all[i].op == TERM_CONSTANT)
			values[i] = all[i].value;
		else if (all[i].op != TERM_VARIABLE)
			values[i] = slow_value(&all[i], values, bits);
		values[i] &= mask(bits[i]);
	}
}

struct replacement {
	struct terms *terms;
	const struct expression *all;
	const uint64_t *values;
	uint32_t asked[VARIABLES];
};

/* Even ones become a constant, 5 a term over 4, others stay. */
static term replace_some(void *context, uint64_t number)
{
	struct replacement *r = context;

	assert_true(number < VARIABLES);
	assert_int_equal(r->asked[number]++, 0);
	if (number % 2 == 0)
		return term_constant(r->terms, r->all[number].bits, r->values[number]);
	return number == 5 ? term_make(r->terms, TERM_SEXT, 64, r->all[4].term, 0, 0) : 0;
}

static void check_replaced(struct terms *terms, const struct expression *all, uint32_t count,
                           uint64_t *values)
{
	values[5] = (uint64_t)(int64_t)(int32_t)values[4];
	values_of(all, count, values);
	for (uint32_t i = 0; i < count; i++) {
		struct replacement r = {terms, all, values, {0}};
		term t = term_replace(terms, all[i].term, replace_some, &r);

		assert_int_equal(term_evaluate(terms, t, assigned, values), values[i]);
	}
}

static void random_terms(void **state)
{
	for (int round = 0; round < 3000; round++) {
		struct expression all[EXPRESSIONS + 8];
		uint64_t values[EXPRESSIONS + 8] = {0};
		struct terms *terms = terms_create();
		uint32_t count = make_all(terms, all);

		for (int trial = 0; trial < 6; trial++) {
			for (uint32_t i = 0; i < VARIABLES; i++)
				values[i] = below(2) ? draw() : below(4) - 1ull;
			values_of(all, count, values);
			for (uint32_t i = 0; i < count; i++)
				assert_int_equal(
					term_evaluate(terms, all[i].term, assigned, values),
					values[i]);
		}
		check_replaced(terms, all, count, values);
		terms_destroy(terms);
	}
}

/* --- what is simplified --- */

static void bytes_again(void **state)
{
	struct terms *terms = terms_create();
	term x = term_variable(terms, 32, 1), small = term_variable(terms, 8, 2);
	term values[] = {x,
	                 term_make(terms, TERM_ADD, 32, x, term_constant(terms, 32, 3), 0),
	                 term_make(terms, TERM_SEXT, 32, small, 0, 0),
	                 term_make(terms, TERM_ZEXT, 32, small, 0, 0),
	                 term_make(terms, TERM_SEXT, 32, term_variable(terms, 12, 3), 0, 0),
	                 term_make(terms, TERM_SHL, 32, x, term_constant(terms, 32, 5), 0),
	                 term_make(terms, TERM_AND, 32, x, term_constant(terms, 32, 0xfff), 0),
	                 term_constant(terms, 32, 0x12345678)};

	for (uint32_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		term up = term_extract(terms, values[i], 0, 8),
		     down = term_extract(terms, values[i], 24, 8);

		for (uint32_t byte = 1; byte < 4; byte++) {
			up = term_make(terms, TERM_CONCAT, 0,
			               term_extract(terms, values[i], 8 * byte, 8), up, 0);
			down = term_make(terms, TERM_CONCAT, 0, down,
			                 term_extract(terms, values[i], 24 - 8 * byte, 8), 0);
		}
		assert_int_equal(up, values[i]);
		assert_int_equal(down, values[i]);
	}
	terms_destroy(terms);
}

static void same_as(void **state)
{
	struct terms *terms = terms_create();
	term x = term_variable(terms, 32, 1), c = term_variable(terms, 1, 2),
	     y = term_variable(terms, 32, 3);
	term zero = term_constant(terms, 32, 0), yes = term_constant(terms, 1, 1);
	term no = term_constant(terms, 1, 0), two = term_constant(terms, 32, 2);
	term five = term_constant(terms, 32, 5);
	term choice = term_make(terms, TERM_CHOICE, 0, c, two, five);
	term wide = term_make(terms, TERM_ZEXT, 64, x, 0, 0);
	term flag = term_make(terms, TERM_ZEXT, 32, c, 0, 0);
	term sum = term_make(terms, TERM_ADD, 0, term_make(terms, TERM_ADD, 0, two, x, 0), five, 0);
	const term same[][2] = {
		{term_make(terms, TERM_ADD, 0, x, zero, 0), x},
		{term_make(terms, TERM_AND, 0, zero, x, 0), zero},
		{term_make(terms, TERM_MUL, 0, x, zero, 0), zero},
		{term_make(terms, TERM_XOR, 0, x, x, 0), zero},
		{term_make(terms, TERM_EQ, 0, x, x, 0), yes},
		{term_make(terms, TERM_EQ, 0, x, sum, 0), no},
		{term_make(terms, TERM_SUB, 0, sum, x, 0), term_constant(terms, 32, 7)},
		{term_equals(terms, sum, 8), term_equals(terms, x, 1)},
		{term_make(terms, TERM_CHOICE, 0, yes, x, zero), x},
		{term_make(terms, TERM_CHOICE, 0, c, x, x), x},
		{term_make(terms, TERM_CHOICE, 0, term_not(terms, c), x, y),
	         term_make(terms, TERM_CHOICE, 0, c, y, x)},
		{term_not(terms, term_not(terms, x)), x},
		{term_make(terms, TERM_ADD, 0, x, y, 0), term_make(terms, TERM_ADD, 0, y, x, 0)},
		{term_equals(terms, choice, 2), c},
		{term_equals(terms, choice, 5), term_not(terms, c)},
		{term_equals(terms, choice, 6), no},
		{term_equals(terms, flag, 0), term_not(terms, c)},
		{term_equals(terms, wide, 7), term_equals(terms, x, 7)},
		{term_equals(terms, wide, 1ull << 32), no},
		{term_extract(terms, wide, 0, 32), x},
		{term_extract(terms, wide, 32, 8), term_constant(terms, 8, 0)},
		{term_make(terms, TERM_ZEXT, 64, term_make(terms, TERM_ZEXT, 40, x, 0, 0), 0, 0),
	         wide},
		{term_make(terms, TERM_ULT, 0, wide, term_constant(terms, 64, 1ull << 32), 0), yes},
		{term_make(terms, TERM_SLT, 0, wide, term_constant(terms, 64, -1), 0), no},
		{term_not(terms, term_make(terms, TERM_SLT, 0, x, y, 0)),
	         term_make(terms, TERM_SLE, 0, y, x, 0)},
		{term_make(terms, TERM_AND, 0, c, term_not(terms, c), 0), no},
	};

	for (uint32_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		if (same[i][0] != same[i][1])
			fail_msg("pair %u is not the same", i);
	terms_destroy(terms);
}

/* --- floats --- */

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static uint64_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void check_constant(struct terms *terms, term t, uint64_t expected)
{
	uint64_t value;

	assert_true(term_is_constant(terms, t, &value));
	assert_int_equal(value, expected);
}

static term number(struct terms *terms, double value)
{
	return term_constant(terms, 64, bits_of(value));
}

static void floats(void **state)
{
	struct terms *terms = terms_create();
	term a = number(terms, 0.1), b = number(terms, 0.2), none = number(terms, (double)NAN);
	term f = term_constant(terms, 32, float_bits(0.1f));

	check_constant(terms, term_make(terms, TERM_FADD, 0, a, b, 0), bits_of(0.1 + 0.2));
	check_constant(terms, term_make(terms, TERM_FDIV, 0, a, number(terms, 3), 0),
	               bits_of(0.1 / 3));
	check_constant(terms, term_make(terms, TERM_FMUL, 0, f, f, 0), float_bits(0.1f * 0.1f));
	check_constant(terms, term_make(terms, TERM_FSQRT, 0, b, 0, 0), bits_of(sqrt(0.2)));
	check_constant(terms, term_make(terms, TERM_FDIV, 0, number(terms, 0), number(terms, 0), 0),
	               0xfff8000000000000);
	check_constant(terms, term_make(terms, TERM_RESIZE, 64, f, 0, 0), bits_of(0.1f));
	check_constant(terms, term_make(terms, TERM_RESIZE, 32, a, 0, 0), float_bits((float)0.1));
	check_constant(terms, term_make(terms, TERM_FLT, 0, a, b, 0), 1);
	check_constant(terms, term_make(terms, TERM_FEQ, 0, none, none, 0), 0);
	check_constant(terms, term_make(terms, TERM_FLE, 0, none, a, 0), 0);
	check_constant(terms, term_make(terms, TERM_FNAN, 0, none, 0, 0), 1);
	check_constant(terms,
	               term_make(terms, TERM_FROM_SIGNED, 64, term_constant(terms, 8, 0xfe), 0, 0),
	               bits_of(-2));
	check_constant(
		terms,
		term_make(terms, TERM_FROM_UNSIGNED, 32, term_constant(terms, 64, ~0ull), 0, 0),
		float_bits(0x1p64f));
	check_constant(terms, term_make(terms, TERM_TO_SIGNED, 32, number(terms, -2.9), 0, 0),
	               (uint32_t)-2);
	check_constant(terms, term_make(terms, TERM_TO_UNSIGNED, 64, number(terms, 0x1p63), 0, 0),
	               1ull << 63);
	terms_destroy(terms);
}

/* What does not fit is not folded, and the machine's value is what it is evaluated to. */
static void floats_that_do_not_fit(void **state)
{
	struct terms *terms = terms_create();
	term t = term_make(terms, TERM_TO_SIGNED, 32, number(terms, 1e10), 0, 0);
	volatile double large = 1e10;
	uint64_t none[1] = {0};

	assert_false(term_is_constant(terms, t, NULL));
	assert_int_equal(term_evaluate(terms, t, assigned, none), (uint32_t)(int)large);
	terms_destroy(terms);
}

/* --- size --- */

#define DEEP 400000

static term chain_end(void *context, uint64_t number)
{
	return number == 1 ? term_constant(context, 32, 5) : 0;
}

static term chain_step(void *context, uint64_t number)
{
	struct terms *terms = context;

	if (number >= DEEP)
		return term_constant(terms, 32, 1);
	return term_make(terms, TERM_MUL, 0, term_variable(terms, 32, number + 1),
	                 term_constant(terms, 32, 3), 0);
}

static void count_one(void *context, uint64_t number)
{
	++*(uint32_t *)context;
}

static void deep_terms(void **state)
{
	struct terms *terms = terms_create();
	term t = term_variable(terms, 32, 1), other = term_variable(terms, 32, 2);
	uint64_t values[3] = {0, 5, 7};
	uint32_t count = 0, made;
	struct str text = STR_INIT;
	uint32_t expected = 5;

	for (uint32_t i = 0; i < DEEP; i++) {
		t = term_make(terms, i % 2 ? TERM_XOR : TERM_ADD, 0, t, other, 0);
		expected = i % 2 ? expected ^ 7 : expected + 7;
	}
	made = terms_count(terms);
	assert_true(made >= DEEP);
	assert_int_equal(term_evaluate(terms, t, assigned, values), expected);
	term_variables(terms, t, count_one, &count);
	assert_int_equal(count, 2);
	assert_int_not_equal(term_replace(terms, t, chain_end, terms), t);
	assert_true(term_replaced(terms, t) != 0);
	terms_release(terms, made);
	assert_int_equal(terms_count(terms), made);
	term_print(terms, t, &text);
	assert_true(text.length > DEEP);
	str_deinit(&text);
	terms_destroy(terms);
}

/* A variable is a term over another, and so on: a run of instructions. */
static void deep_definitions(void **state)
{
	struct terms *terms = terms_create();
	uint32_t expected = 1;

	for (uint32_t i = 0; i < DEEP; i++)
		expected *= 3;
	check_constant(terms, term_replace(terms, term_variable(terms, 32, 0), chain_step, terms),
	               expected);
	terms_destroy(terms);
}

/* --- the rest --- */

static term fail_for_two(void *context, uint64_t number)
{
	assert_int_not_equal(number, 2);
	return number == 1 ? term_constant(context, 1, 0) : 0;
}

/* An arm that is not taken is not asked for. */
static void lazy(void **state)
{
	struct terms *terms = terms_create();
	term c = term_variable(terms, 1, 1), x = term_variable(terms, 32, 2),
	     y = term_variable(terms, 32, 3);
	term t = term_make(terms, TERM_CHOICE, 0, c, x, y);

	assert_int_equal(term_replace(terms, t, fail_for_two, terms), y);
	assert_int_equal(term_replaced(terms, x), 0);
	assert_int_equal(term_replaced(terms, c), term_constant(terms, 1, 0));
	t = term_make(terms, TERM_AND, 0, c, term_equals(terms, x, 4), 0);
	check_constant(terms, term_replace(terms, t, fail_for_two, terms), 0);
	terms_destroy(terms);
}

static void printed(void **state)
{
	struct terms *terms = terms_create();
	term x = term_variable(terms, 32, 12), any = term_any(terms, 1);
	term sum = term_make(terms, TERM_ADD, 0, x, term_constant(terms, 32, 1), 0);
	term t = term_make(terms, TERM_AND, 0, any, term_make(terms, TERM_SLT, 0, sum, x, 0), 0);
	struct str text = STR_INIT;
	char expected[200];

	term_print(terms, t, &text);
	snprintf(expected, sizeof(expected),
	         "(let ((t%u (bvadd v12 #x00000001))) (let ((t%u (ite (bvslt t%u v12) #b1 #b0))) "
	         "(let ((t%u (bvand any0 t%u))) t%u)))",
	         sum, term_at(terms, t)->b, sum, t, term_at(terms, t)->b, t);
	assert_string_equal(str_text(&text), expected);
	str_deinit(&text);
	terms_destroy(terms);
}

/* Terms that are made again after a release are found again, and older ones stay what they are. */
static void released(void **state)
{
	struct terms *terms = terms_create();
	term x = term_variable(terms, 32, 1), t = x;
	uint32_t count;

	for (uint32_t i = 0; i < 600; i++)
		t = term_make(terms, TERM_MUL, 0, x, term_make(terms, TERM_ADD, 0, t, x, 0), 0);
	count = terms_count(terms);
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < 5000; i++)
			term_make(terms, TERM_UDIV, 0, t, term_constant(terms, 32, i), 0);
		assert_int_equal(terms_count(terms), count + 5000 + 4999); /* by 1 is itself */
		terms_release(terms, count);
	}
	t = x;
	for (uint32_t i = 0; i < 600; i++)
		t = term_make(terms, TERM_MUL, 0, x, term_make(terms, TERM_ADD, 0, t, x, 0), 0);
	assert_int_equal(terms_count(terms), count);
	terms_destroy(terms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_terms),
		cmocka_unit_test(bytes_again),
		cmocka_unit_test(same_as),
		cmocka_unit_test(floats),
		cmocka_unit_test(floats_that_do_not_fit),
		cmocka_unit_test(deep_terms),
		cmocka_unit_test(deep_definitions),
		cmocka_unit_test(lazy),
		cmocka_unit_test(printed),
		cmocka_unit_test(released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
