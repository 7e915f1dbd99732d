/*
 * Post-dominators, on the shapes that C has and against the definition on random graphs: a block is
 * post-dominated by what every way to the exit goes through, found by taking the one node away
 * and asking whether the exit can still be reached.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "model/control.h"

#define MOST 40 /* blocks */
#define X    CONTROL_EXIT

/* --- graphs --- */

static void add_block(struct plan_function *f, enum plan_kind end)
{
	struct plan_block *block = vec_push(&f->blocks);

	block->first = f->records.size;
	block->count = 2;
	block->successor = f->successors.size;
	vec_push(&f->records)->kind = PLAN_VALUE;
	vec_push(&f->records)->kind = end;
}

static void add_way(struct plan_function *f, uint32_t to)
{
	*vec_push(&f->successors) = to;
	f->blocks.at[f->blocks.size - 1].successors++;
}

static void release(struct plan_function *f)
{
	vec_deinit(&f->blocks);
	vec_deinit(&f->records);
	vec_deinit(&f->successors);
}

/* The blocks in order, a word for each: its successors ("1,2"), "R" returns, "U" is unreachable. */
static struct plan_function parse(const char *text)
{
	struct plan_function f = {0};
	char *end;

	for (; *text; text += *text == ' ') {
		bool leaf = *text == 'R' || *text == 'U';

		add_block(&f, *text == 'R' ? PLAN_RETURN : *text == 'U' ? PLAN_STOP : PLAN_SWITCH);
		for (text += leaf; isdigit((unsigned char)*text); text = end + (*end == ','))
			add_way(&f, (uint32_t)strtoul(text, &end, 10));
	}
	return f;
}

/* --- shapes --- */

static void expect(const char *what, const char *shape, const uint32_t *right)
{
	struct plan_function f = parse(shape);
	uint32_t *got = control_postdominators(&f);

	for (uint32_t b = 0; b < f.blocks.size; b++)
		if (got[b] != right[b])
			fail_msg("%s: block %u has %d, not %d", what, b, (int)got[b],
			         (int)right[b]);
	free(got);
	release(&f);
}

#define EXPECT(what, shape, ...) expect(what, shape, (const uint32_t[]){__VA_ARGS__})

static void test_shapes(void **state)
{
	EXPECT("straight", "1 2 R", 1, 2, X);
	EXPECT("if", "1,2 2 R", 2, 2, X);
	EXPECT("if else", "1,2 3 3 R", 3, 3, 3, X);
	EXPECT("while", "1 2,3 1 R", 1, 3, 1, X);
	EXPECT("do", "1 2 1,3 R", 1, 2, 3, X);
	EXPECT("while with break", "1 2,5 3,4 5 1 R", 1, 5, 5, 5, 1, X);
	EXPECT("while with continue", "1 2,5 3,4 1 1 R", 1, 5, 1, 1, 1, X);
	EXPECT("switch that falls through", "1,2,3,3,4 2 4 4 R", 4, 2, 4, 4, X);
	EXPECT("two returns through one block", "1,2 3 3 R", 3, 3, 3, X);
	EXPECT("two returns", "1,2 R R", X, X, X);
	EXPECT("&&", "1,3 2,3 4 4 R", 4, 4, 4, 4, X);
	EXPECT("goto into a loop", "1,2 2 3 1,4 R", 2, 2, 3, 4, X);
	EXPECT("loop with two ways in", "1,2 3,2 3,1 R", 3, 3, 3, X);
}

static void test_endless(void **state)
{
	EXPECT("for (;;) ;", "1 1", 1, 1);
	EXPECT("for (;;) with an if", "1 2,3 3 1", 1, 3, 3, 1);
	EXPECT("for (;;) with continue", "1 2,3 1 1", 1, 1, 1, 1);
	EXPECT("an if around for (;;)", "1,2 1 R", X, 1, X);
	EXPECT("if, then for (;;)", "1,2 2 3 2", 2, 2, 3, 2);
	EXPECT("one of two for (;;)", "1,2 1 2", X, 1, 2);
	EXPECT("for (;;) in a loop that it ends", "1 2,3 1 3", 1, 3, 1, 3);
}

static void test_dying(void **state)
{
	EXPECT("if (x) abort()", "1,2 U R", 2, X, X);
	EXPECT("both die", "1,2 U U", X, X, X);
	EXPECT("abort in a loop", "1 2,5 3,4 U 1 R", 1, 5, 4, X, 1, X);
	EXPECT("two ways to die, one after an if", "1,4 2,3 3 U R", 4, 3, 3, X, X);
	EXPECT("a loop before it dies", "1,3 1,2 U R", 3, 2, X, X);
	EXPECT("while (c) work(); exit(0);", "1 2,3 1 U", 1, 3, 1, X);
	EXPECT("if (!x) abort(); for (;;) ;", "1,2 U 2", 2, X, 2);
	EXPECT("abort in for (;;)", "1 2,3 U 1", 1, 2, X, 1);
	EXPECT("abort in for (;;) that returns", "1 2,3 U 4,1 R", 1, 3, X, 4, X);
	EXPECT("switch with a default that dies", "1,2,3 U 4 4 R", 4, X, 4, 4, X);
}

/* --- the definition --- */

/* A graph as a matrix: the blocks, the gates in front of them, the exit. */
struct matrix {
	uint32_t blocks, nodes, exit;
	bool way[2 * MOST + 1][2 * MOST + 1];
	bool there[2 * MOST + 1];
};

static bool walk(const struct matrix *m, uint32_t from, uint32_t to, uint32_t without, bool *seen)
{
	if (from == without)
		return false;
	if (from == to)
		return true;
	seen[from] = true;
	for (uint32_t n = 0; n < m->nodes; n++)
		if (m->way[from][n] && !seen[n] && walk(m, n, to, without, seen))
			return true;
	return false;
}

static bool reaches(const struct matrix *m, uint32_t from, uint32_t to, uint32_t without)
{
	bool seen[2 * MOST + 1] = {false};

	return walk(m, from, to, without, seen);
}

static enum plan_kind end_of(const struct plan_function *f, uint32_t b)
{
	return f->records.at[f->blocks.at[b].first + 1].kind;
}

static bool reaches_end(const struct matrix *m, const struct plan_function *f, uint32_t b,
                        enum plan_kind kind)
{
	for (uint32_t e = 0; e < m->blocks; e++)
		if (end_of(f, e) == kind && reaches(m, b, e, X))
			return true;
	return false;
}

static bool is_trap(const struct matrix *m, const struct plan_function *f, uint32_t b)
{
	return !reaches_end(m, f, b, PLAN_RETURN) && !reaches_end(m, f, b, PLAN_STOP);
}

static bool goes_on(const struct matrix *m, const struct plan_function *f, uint32_t b)
{
	for (uint32_t t = 0; t < m->blocks; t++)
		if (reaches(m, b, t, X) && is_trap(m, f, t))
			return true;
	return reaches_end(m, f, b, PLAN_RETURN);
}

/* The first block of a loop that nothing leaves. */
static bool is_first(const struct matrix *m, const struct plan_function *f, uint32_t b)
{
	for (uint32_t o = 0; o < m->blocks; o++)
		if (reaches(m, b, o, X) && (o < b || !reaches(m, o, b, X)))
			return false;
	return is_trap(m, f, b);
}

static void plain_matrix(const struct plan_function *f, struct matrix *m)
{
	*m = (struct matrix){.blocks = f->blocks.size};
	m->nodes = 2 * m->blocks + 1;
	m->exit = 2 * m->blocks;
	for (uint32_t b = 0; b < m->blocks; b++)
		for (uint32_t s = 0; s < f->blocks.at[b].successors; s++)
			m->way[b][f->successors.at[f->blocks.at[b].successor + s]] = true;
}

static void full_matrix(const struct plan_function *f, struct matrix *m)
{
	struct matrix plain;
	bool on[MOST], first[MOST];

	plain_matrix(f, &plain);
	*m = plain;
	for (uint32_t b = 0; b < m->blocks; b++) {
		on[b] = goes_on(&plain, f, b);
		first[b] = is_first(&plain, f, b);
		m->there[b] = true;
	}
	for (uint32_t b = 0; b < m->blocks; b++) {
		bool choosy = false;

		for (uint32_t s = 0; s < m->blocks; s++)
			choosy |= plain.way[b][s] && on[s];
		for (uint32_t s = 0; s < m->blocks; s++) {
			bool counts = plain.way[b][s] && (on[s] || !choosy);

			m->way[b][s] = counts && !first[s];
			m->way[b][m->blocks + s] = counts && first[s];
		}
		m->way[b][m->exit] = end_of(f, b) == PLAN_RETURN || end_of(f, b) == PLAN_STOP;
		m->there[m->blocks + b] = first[b];
		m->way[m->blocks + b][b] = m->way[m->blocks + b][m->exit] = first[b];
	}
}

/* Of the nodes behind `b` that cannot be avoided, the one from which no other can be avoided. */
static uint32_t nearest(const struct matrix *m, uint32_t b)
{
	uint32_t best = m->exit;

	for (uint32_t n = 0; n < m->exit; n++)
		if (n != b && m->there[n] && !reaches(m, b, m->exit, n) &&
		    (best == m->exit || !reaches(m, n, m->exit, best)))
			best = n;
	return best;
}

static void check(const struct plan_function *f, unsigned number)
{
	uint32_t *got = control_postdominators(f);
	struct matrix m;

	full_matrix(f, &m);
	for (uint32_t b = 0; b < m.blocks; b++) {
		uint32_t node = nearest(&m, b);
		uint32_t right = node == m.exit ? X : node % m.blocks;

		if (got[b] != right)
			fail_msg("graph %u: block %u has %d, not %d", number, b, (int)got[b],
			         (int)right);
	}
	free(got);
}

/* Few blocks that end, so that loops without an end and ways that only die are common. */
static struct plan_function random_graph(void)
{
	uint32_t count = 1 + (uint32_t)rand() % 12;
	struct plan_function f = {0};

	for (uint32_t b = 0; b < count; b++) {
		unsigned kind = (unsigned)rand() % 12;
		uint32_t ways = kind < 3 ? 0 : kind < 7 ? 1 : kind < 11 ? 2 : 4;

		add_block(&f, kind == 0 ? PLAN_RETURN : kind < 3 ? PLAN_STOP : PLAN_SWITCH);
		while (ways-- > 0)
			add_way(&f, (uint32_t)rand() % count);
	}
	return f;
}

static void test_random(void **state)
{
	srand(1);
	for (unsigned i = 0; i < 4000; i++) {
		struct plan_function f = random_graph();

		check(&f, i);
		release(&f);
	}
}

/* A chain of many blocks: no recursion, and no time that grows with the square. */
static void test_long(void **state)
{
	struct plan_function f = {0};
	uint32_t count = 200000;
	uint32_t *got;

	for (uint32_t b = 0; b + 2 < count; b++) {
		add_block(&f, PLAN_BRANCH);
		add_way(&f, b + 1);
		add_way(&f, b + 2);
	}
	add_block(&f, PLAN_GOTO);
	add_way(&f, count - 1);
	add_block(&f, PLAN_RETURN);
	got = control_postdominators(&f);
	assert_int_equal(got[0], count - 1);
	assert_int_equal(got[count - 1], CONTROL_EXIT);
	free(got);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes), cmocka_unit_test(test_endless),
		cmocka_unit_test(test_dying),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
