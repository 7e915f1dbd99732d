/* Edits by value, against a search that tries everything, one pass at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "edit/value.h"

#define VARIABLES 3u

struct pass {
	struct hence_watch head;
	int64_t variables[VARIABLES];
};

struct made {
	struct edit_slots slots;
	struct edit_watched place;
	struct pass passes[24];
	struct value_log log;
};

static uint32_t state_ = 1;

static int64_t random_below(int64_t limit)
{
	state_ = state_ * 1664525u + 1013904223u;
	return (int64_t)(state_ >> 8) % limit;
}

static void add(struct made *m, uint32_t number, bool failing, uint64_t original, int64_t x,
                int64_t y, int64_t z)
{
	struct pass *p = &m->passes[number];

	*p = (struct pass){.head = {.original = original, .readable = 7}, .variables = {x, y, z}};
	if (failing)
		*vec_push(&m->log.failing) = &p->head;
	else
		*vec_push(&m->log.passing) = &p->head;
}

static void init(struct made *m, bool condition)
{
	static const char *const names[] = {"x", "y", "z"};

	memset(m, 0, sizeof(*m));
	m->place = (struct edit_watched){.condition = condition,
	                                 .bits = condition ? 1 : 32,
	                                 .constants = {0, 1, 2, 7},
	                                 .constant_count = 4};
	m->slots.count = VARIABLES;
	m->slots.watched = &m->place;
	for (uint32_t i = 0; i < VARIABLES; i++) {
		m->slots.names[i] = names[i];
		m->slots.types[i] = (struct hence_choice_variable){.size = 4, .is_signed = 1};
	}
	m->log.slots = &m->slots;
}

static void deinit(struct made *m)
{
	vec_deinit(&m->log.passing);
	vec_deinit(&m->log.failing);
}

/* --- the slow way --- */

static bool leaf(const struct hence_watch *w, uint8_t which, int64_t constant, int64_t *out)
{
	*out = which == HENCE_CHOICE_CONSTANT ? constant : w->variables[which];
	return which == HENCE_CHOICE_CONSTANT || (w->readable >> which & 1);
}

/* x op y in C's int; false: undefined. */
static bool compute(uint8_t operation, int64_t x, int64_t y, int64_t *out)
{
	switch (operation) {
	case HENCE_OPERATION_NONE: *out = x; break;
	case HENCE_OPERATION_ADD: *out = x + y; break;
	case HENCE_OPERATION_SUB: *out = x - y; break;
	case HENCE_OPERATION_FROM: *out = y - x; break;
	case HENCE_OPERATION_MUL: *out = x * y; break;
	case HENCE_OPERATION_DIV:
		if (!y)
			return false;
		*out = x / y;
		break;
	case HENCE_OPERATION_MOD:
		if (!y)
			return false;
		*out = x % y;
		break;
	case HENCE_OPERATION_MIN: *out = x < y ? x : y; break;
	case HENCE_OPERATION_MAX: *out = x > y ? x : y; break;
	default: fail();
	}
	return *out >= INT32_MIN && *out <= INT32_MAX;
}

static bool evaluate(const struct hence_watch *w, const struct hence_choice *c, uint64_t *out)
{
	int64_t x, y, z, left;
	bool compared;

	if (!leaf(w, c->a, 0, &x) || !leaf(w, c->b, c->constant, &z))
		return false;
	left = x;
	if (c->operation &&
	    (!leaf(w, c->with, c->with_constant, &y) || !compute(c->operation, x, y, &left)))
		return false;
	if (c->kind == HENCE_CHOICE_VALUE) {
		if (!compute(c->predicate, left, z, &left))
			return false;
		*out = (uint32_t)left;
		return true;
	}
	compared = c->predicate == HENCE_CHOICE_EQ   ? left == z
	           : c->predicate == HENCE_CHOICE_NE ? left != z
	           : c->predicate == HENCE_CHOICE_LT ? left < z
	           : c->predicate == HENCE_CHOICE_LE ? left <= z
	           : c->predicate == HENCE_CHOICE_GT ? left > z
	                                             : left >= z;
	*out = c->kind == HENCE_CHOICE_AND  ? w->original && compared
	       : c->kind == HENCE_CHOICE_OR ? w->original || compared
	                                    : compared;
	return true;
}

/* Does it fit, as value.h says? */
static bool fits(const struct made *m, const struct hence_choice *c, uint64_t effect[16])
{
	bool differs = false;

	for (uint32_t i = 0; i < m->log.passing.size; i++) {
		uint64_t value;

		if (!evaluate(m->log.passing.at[i], c, &value) ||
		    value != m->log.passing.at[i]->original)
			return false;
	}
	for (uint32_t i = 0; i < m->log.failing.size; i++) {
		uint64_t value;
		bool defined = evaluate(m->log.failing.at[i], c, &value);

		if (!defined && !differs)
			return false;
		effect[i] = defined ? value : UINT64_MAX;
		differs |= defined && value != m->log.failing.at[i]->original;
	}
	return differs;
}

/* All that is found fits. */
static struct value_rows look(const struct made *m)
{
	struct value_rows rows = {0};
	uint64_t effect[16];

	value_fit(&m->log, &rows);
	for (uint32_t i = 0; i < rows.size; i++)
		assert_true(fits(m, &rows.at[i], effect));
	return rows;
}

/* Is there one that does the same in the failing run? */
static bool has_effect(const struct made *m, const struct value_rows *rows,
                       const uint64_t wanted[16])
{
	uint64_t effect[16];

	for (uint32_t i = 0; i < rows->size; i++)
		if (fits(m, &rows->at[i], effect) &&
		    !memcmp(effect, wanted, m->log.failing.size * sizeof(*effect)))
			return true;
	return false;
}

static const uint8_t leaves[] = {
	0, 1, 2, HENCE_CHOICE_CONSTANT, HENCE_CHOICE_CONSTANT, HENCE_CHOICE_CONSTANT};
static const int64_t constants[] = {0, 0, 0, 1, 2, 7};

/* If the slow way knows an edit, one with the same effect is found, while there are few. */
static void compare(const struct made *m, uint8_t kind, uint32_t predicates)
{
	struct value_rows rows = look(m);
	uint64_t effect[16];
	uint32_t telling = 0;

	/* Where c is false, c && ... is, too. */
	for (uint32_t i = 0; i < m->log.passing.size; i++)
		telling += kind == HENCE_CHOICE_VALUE ||
		           (m->log.passing.at[i]->original != 0) == (kind == HENCE_CHOICE_AND);
	for (uint8_t a = 0; a < VARIABLES && telling >= 8; a++)
		for (uint8_t o = 0;
		     o < (kind == HENCE_CHOICE_VALUE ? HENCE_OPERATION_MIN : HENCE_OPERATION_FROM);
		     o++)
			for (uint8_t w = 0; w < 6; w++)
				for (uint8_t p = 0; p < predicates; p++)
					for (uint8_t b = 0; b < 6; b++) {
						struct hence_choice c = {.kind = kind,
						                         .predicate = p,
						                         .a = a,
						                         .operation = o,
						                         .with = leaves[w],
						                         .with_constant =
						                                 constants[w],
						                         .b = leaves[b],
						                         .constant = constants[b]};

						if (fits(m, &c, effect))
							assert_true(has_effect(m, &rows, effect));
					}
	vec_deinit(&rows);
}

/* With enough passing runs few effects are left, and all are found. */
static void finds_what_a_full_search_finds(void **state)
{
	for (uint32_t round = 0; round < 60; round++) {
		bool condition = round % 2;
		uint8_t operation = (uint8_t)(1 + random_below(HENCE_OPERATION_MIN - 1));
		uint8_t second = (uint8_t)random_below(condition ? 6 : HENCE_OPERATIONS);
		uint8_t kind = condition ? (uint8_t)(HENCE_CHOICE_AND + random_below(2))
		                         : HENCE_CHOICE_VALUE;
		struct made m;

		init(&m, condition);
		for (uint32_t i = 0; i < 22; i++) {
			int64_t x = random_below(50), y = 1 + random_below(9), z = random_below(20);
			struct hence_choice c = {.kind = kind,
			                         .predicate = second,
			                         .a = 0,
			                         .operation = operation,
			                         .with = 1,
			                         .b = 2};
			struct hence_watch *w = &m.passes[i].head;
			uint64_t value = 0;

			if (condition && operation >= HENCE_OPERATION_FROM)
				c.operation = HENCE_OPERATION_SUB;
			/* In passing runs the expression has the value of the place; in the failing run it has another. */
			add(&m, i, i >= 20, condition ? (uint64_t)random_below(2) : 1000000, x, y,
			    z);
			if (i < 20 && evaluate(w, &c, &value))
				w->original = value;
		}
		compare(&m, kind, condition ? 6 : HENCE_OPERATIONS);
		deinit(&m);
	}
}

static bool has(const struct value_rows *rows, struct hence_choice c)
{
	for (uint32_t i = 0; i < rows->size; i++)
		if (!memcmp(&rows->at[i], &c, sizeof(c)))
			return true;
	return false;
}

static void rounds_up(void **state)
{
	struct value_rows rows;
	struct made m;

	init(&m, false);
	for (uint32_t i = 0; i < 4; i++)
		add(&m, i, false, 10 + 7 * i, 20 + 14 * i, i * i, 3);
	add(&m, 4, true, 3, 7, 1, 3);
	rows = look(&m);
	assert_true(has(&rows, (struct hence_choice){.kind = HENCE_CHOICE_VALUE,
	                                             .predicate = HENCE_OPERATION_DIV,
	                                             .operation = HENCE_OPERATION_ADD,
	                                             .with = HENCE_CHOICE_CONSTANT,
	                                             .with_constant = 1,
	                                             .b = HENCE_CHOICE_CONSTANT,
	                                             .constant = 2}));
	vec_deinit(&rows);
	deinit(&m);
}

/* The constant is a value of the failing run. */
static void compares_with_what_was_seen(void **state)
{
	struct value_rows rows;
	struct made m;

	init(&m, true);
	for (uint32_t i = 0; i < 8; i++)
		add(&m, i, false, i % 2, 100 + i, 5, 9);
	add(&m, 8, true, 1, 101, 5, 9);
	add(&m, 9, true, 1, 121, 5, 9);
	rows = look(&m);
	assert_true(has(&rows, (struct hence_choice){.kind = HENCE_CHOICE_AND,
	                                             .predicate = HENCE_CHOICE_NE,
	                                             .b = HENCE_CHOICE_CONSTANT,
	                                             .constant = 121}));
	vec_deinit(&rows);
	deinit(&m);
}

/* What one pass says, anything fits. */
static void needs_passing_runs(void **state)
{
	struct value_rows rows;
	struct made m;

	init(&m, false);
	add(&m, 0, false, 4, 8, 1, 2);
	add(&m, 1, false, 4, 8, 1, 2);
	add(&m, 2, true, 3, 7, 1, 2);
	rows = look(&m);
	assert_int_equal(rows.size, 0);
	vec_deinit(&rows);
	deinit(&m);
}

/* Pointers, large unsigned numbers and what cannot be read are left alone. */
static void leaves_out_what_c_computes_otherwise(void **state)
{
	struct value_rows rows;
	struct made m;

	init(&m, false);
	m.slots.types[0].is_signed = 0;
	for (uint32_t i = 0; i < 4; i++) {
		add(&m, i, false, i + 1, i, INT32_MAX - 1 + i % 2, i);
		m.passes[i].head.readable = 3;
	}
	add(&m, 4, true, 3, 7, 5, 2);
	rows = look(&m);
	assert_int_equal(rows.size, 0);
	vec_deinit(&rows);
	deinit(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_a_full_search_finds),
		cmocka_unit_test(rounds_up),
		cmocka_unit_test(compares_with_what_was_seen),
		cmocka_unit_test(needs_passing_runs),
		cmocka_unit_test(leaves_out_what_c_computes_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
