/*
 * The cut of the dual slice is sufficient in the exact model, in both directions, on random programs:
 * numbers, an array, pointers into it, branches, loops, switches and calls, run on two inputs.
 */
#include "exact_question.h"

#define PROGRAMS      10u
#define PROGRAMS_LONG 200u
#define POINTS        12u

/* --- programs --- */

static uint64_t random_state;

static unsigned choose(unsigned count)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % count;
}

static void add_variable(struct str *out)
{
	str_printf(out, "%c", "abcd"[choose(4)]);
}

static void add_expression(struct str *out, unsigned depth)
{
	static const char *const operators[] = {"+", "-", "*", "^", "&", "|", ">>", "<", "=="};

	switch (choose(depth ? 6 : 3)) {
	case 0: add_variable(out); return;
	case 1: str_printf(out, "%uu", choose(9)); return;
	case 2: str_add(out, choose(2) ? "*p" : "m[2]"); return;
	case 3:
		str_add(out, "m[(");
		add_expression(out, depth - 1);
		str_add(out, ") & 7]");
		return;
	default:
		str_add(out, "(");
		add_expression(out, depth - 1);
		str_printf(out, " %s ", operators[choose(9)]);
		add_expression(out, 0);
		str_add(out, choose(3) ? ")" : " % 32)");
	}
}

static void add_block(struct str *out, unsigned depth);

static void add_assignment(struct str *out)
{
	if (choose(3)) {
		add_variable(out);
	} else {
		str_add(out, "m[(");
		add_expression(out, 1);
		str_add(out, ") & 7]");
	}
	str_add(out, choose(4) ? " = " : " += ");
	add_expression(out, 2);
	str_add(out, ";\n");
}

static void add_statement(struct str *out, unsigned depth)
{
	static unsigned loops;

	switch (choose(depth ? 8 : 4)) {
	case 0:
		str_add(out, "p = &m[(");
		add_expression(out, 1);
		str_add(out, ") & 7];\n");
		return;
	case 1:
		str_add(out, "*p = ");
		add_expression(out, 2);
		str_add(out, ";\n");
		return;
	case 4:
	case 5:
		str_add(out, "if ((");
		add_expression(out, 2);
		str_add(out, ") & 3)\n");
		add_block(out, depth - 1);
		if (choose(2)) {
			str_add(out, "else\n");
			add_block(out, depth - 1);
		}
		return;
	case 6:
		str_printf(out, "for (unsigned i%u = 0, n%u = (", loops, loops);
		add_expression(out, 1);
		str_printf(out, ") & 3; i%u < n%u; i%u++)\n", loops, loops, loops);
		loops++;
		add_block(out, depth - 1);
		return;
	case 7:
		str_add(out, "switch ((");
		add_expression(out, 1);
		str_add(out, ") & 3) {\ncase 0:\n");
		add_block(out, depth - 1);
		str_add(out, choose(2) ? "break;\n" : "");
		str_add(out, "case 2:\n");
		add_block(out, depth - 1);
		str_add(out, "}\n");
		return;
	case 3:
		add_variable(out);
		str_add(out, " = f(");
		add_expression(out, 1);
		str_add(out, ", &");
		add_variable(out);
		str_add(out, ");\n");
		return;
	default: add_assignment(out);
	}
}

static void add_block(struct str *out, unsigned depth)
{
	unsigned count = 1 + choose(3);

	str_add(out, "{\n");
	for (unsigned i = 0; i < count; i++)
		add_statement(out, depth);
	str_add(out, "}\n");
}

static char *make_program(uint64_t seed)
{
	struct str out = STR_INIT;

	random_state = seed;
	str_add(&out, "#include <stdio.h>\n#include <stdlib.h>\n"
	              "static unsigned m[8] = {3, 1, 4, 1, 5, 9, 2, 6}, *p = m, rest = 40;\n"
	              "static unsigned f(unsigned x, unsigned *q) {\n"
	              "	unsigned a = x, b = *q, c = 7, d = 1;\n"
	              "	if (rest-- == 0)\n		exit(0);\n"
	              "	if (x > 20)\n		return x - *q;\n");
	str_printf(&out, "	*q = x * %uu;\n", choose(5));
	str_add(&out, "	m[x & 7] += b;\n	return a + c + d;\n}\n"
	              "int main(int argc, char **argv) {\n"
	              "	unsigned a = strtoul(argv[1], 0, 10), b = strtoul(argv[2], 0, 10);\n"
	              "	unsigned c = strtoul(argv[3], 0, 10), d = 5;\n");
	for (unsigned i = 0; i < 6; i++)
		add_statement(&out, 2);
	str_add(&out, "	printf(\"%u\\n\", a ^ b * 3 ^ c * 5 ^ d * 7 ^ m[a & 7] ^ *p);\n"
	              "	return 0;\n}\n");
	return str_steal(&out);
}

/* --- the property --- */

/* False: the inputs make no difference. */
static bool check(uint64_t seed, struct question_counts *counts)
{
	char *source = make_program(seed), *failing, *passing, *name;
	uint32_t before = counts->complaints;
	struct question q = {0};
	struct hence_error *error;

	failing = str_format("%u %u %u", choose(9), choose(30), choose(9));
	passing = str_format("%u %u %u", choose(9), choose(30), choose(9));
	name = str_format("seed %llu (%s | %s)", (unsigned long long)seed, failing, passing);
	pair_make(&q.pair, source, failing, passing, "wrong\n");
	error = symptom_find(&q.pair.runs[true].run, &q.pair.runs[false].run, &q.pair.alignment,
	                     &q.pair.oracle, &q.pair.symptom);
	if (!error) {
		question_model(&q);
		question_check_cuts(&q, name, 7, POINTS, counts);
		question_end(&q);
	} else {
		pair_free(&q.pair);
	}
	if (counts->complaints > before)
		print_message("%s\n", source);
	free(source);
	free(failing);
	free(passing);
	free(name);
	error_destroy(error);
	return !error;
}

static void test_random(void **state)
{
	const char *longer = getenv("HENCE_TEST_LONG");
	uint32_t wanted = longer && *longer == '1' ? PROGRAMS_LONG : PROGRAMS, done = 0;
	struct question_counts counts = {0};

	for (uint64_t seed = 1; done < wanted; seed++)
		done += check(seed, &counts);
	print_message("sufficient at %u points, unknown at %u\n", counts.sufficient,
	              counts.unknown);
	assert_true(counts.sufficient > 2 * wanted);
	assert_int_equal(counts.complaints, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
