/* Inputs between two inputs: the ends are right, and each unit changes the input by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "reduce/mix.h"

static void add(struct input *input, enum input_kind kind, const char *bytes, bool varied)
{
	input_add_bytes(input, kind, kind == INPUT_FILE || kind == INPUT_VARIABLE ? "f" : NULL,
	                bytes, strlen(bytes));
	input->parts.at[input->parts.size - 1].varied = varied;
}

/* 'a|b|<stdin>' */
static char *show(const struct input *input)
{
	struct str out = STR_INIT;

	for (uint32_t i = 0; i < input->parts.size; i++)
		str_printf(&out, "%s%s", i ? "|" : "", str_text(&input->parts.at[i].bytes));
	return str_steal(&out);
}

static char *apply(const struct mix *mix, uint64_t bits)
{
	struct input input;
	struct dd_set set;
	char *text;

	dd_set_init(&set, mix->units, false);
	for (uint32_t i = 0; i < mix->units; i++)
		dd_set_put(&set, i, bits >> i & 1);
	mix_apply(mix, &set, &input);
	dd_set_deinit(&set);
	text = show(&input);
	input_deinit(&input);
	return text;
}

static void expect(const struct mix *mix, uint64_t bits, const char *wanted)
{
	char *got = apply(mix, bits);

	assert_string_equal(got, wanted);
	free(got);
}

static struct level level_of(enum units_kind kind)
{
	return (struct level){.way = {.kind = kind},
	                      .binary = true,
	                      .text = true,
	                      .arguments = kind == UNITS_BYTES ? LEVEL_CUTS : LEVEL_WHOLE,
	                      .name = "units"};
}

/* An argument is a unit beside its bytes; without it they do not count. */
static void test_argument_bytes(void **state)
{
	struct level level = level_of(UNITS_BYTES);
	struct input input = {VEC_INIT};
	struct mix mix;

	add(&input, INPUT_ARGUMENT, "ab", true);
	add(&input, INPUT_ARGUMENT, "x", false);
	add(&input, INPUT_STDIN, "cd", true);
	assert_null(mix_create(&input, &level, &mix));
	assert_int_equal(mix.units, 5);
	expect(&mix, 0x1f, "ab|x|cd");
	expect(&mix, 0x1e, "x|cd");  /* no argument */
	expect(&mix, 0x19, "|x|cd"); /* an empty one */
	expect(&mix, 0x05, "b|x|");
	expect(&mix, 0, "x|");
	mix_deinit(&mix);
	input_deinit(&input);
}

static void test_lines_keep_arguments(void **state)
{
	struct level level = level_of(UNITS_LINES);
	struct input input = {VEC_INIT};
	struct mix mix;

	add(&input, INPUT_ARGUMENT, "ab", true);
	add(&input, INPUT_STDIN, "1\n2\n3", true);
	assert_null(mix_create(&input, &level, &mix));
	assert_int_equal(mix.units, 4);
	expect(&mix, 0xb, "ab|1\n3");
	mix_deinit(&mix);
	level.arguments = LEVEL_KEEPS;
	assert_null(mix_create(&input, &level, &mix));
	assert_int_equal(mix.units, 3);
	expect(&mix, 0, "ab|");
	mix_deinit(&mix);
	input_deinit(&input);
}

static void test_difference(void **state)
{
	struct level level = level_of(UNITS_LINES);
	struct input pass = {VEC_INIT}, fail = {VEC_INIT};
	struct mix mix;

	add(&pass, INPUT_ARGUMENT, "-a", true);
	add(&pass, INPUT_ARGUMENT, "same", true);
	add(&pass, INPUT_STDIN, "1\n2\n3\n", true);
	add(&fail, INPUT_ARGUMENT, "same", true);
	add(&fail, INPUT_ARGUMENT, "new", true);
	add(&fail, INPUT_STDIN, "1\nX\n3\n4\n", true);
	assert_null(mix_create_difference(&pass, &fail, &level, &mix));
	assert_int_equal(mix.units, 4); /* -a gone, new, 2 to X, 4 */
	expect(&mix, 0, "-a|same|1\n2\n3\n");
	expect(&mix, 0xf, "same|new|1\nX\n3\n4\n");
	expect(&mix, 0x1, "same|1\n2\n3\n");
	expect(&mix, 0x2, "-a|same|new|1\n2\n3\n");
	expect(&mix, 0x4, "-a|same|1\nX\n3\n");
	expect(&mix, 0x8, "-a|same|1\n2\n3\n4\n");
	mix_deinit(&mix);
	input_deinit(&pass);
	input_deinit(&fail);
}

/* A variable can be there or not, and can be empty. */
static void test_variable(void **state)
{
	struct level level = level_of(UNITS_BYTES);
	struct input input = {VEC_INIT}, made;
	struct dd_set set;
	struct mix mix;

	add(&input, INPUT_VARIABLE, "ab", true);
	assert_null(mix_create(&input, &level, &mix));
	assert_int_equal(mix.units, 3);
	expect(&mix, 7, "ab");
	expect(&mix, 5, "b");
	dd_set_init(&set, 3, false);
	dd_set_put(&set, 1, true); /* a byte of something that is not there */
	mix_apply(&mix, &set, &made);
	assert_int_equal(made.parts.size, 1);
	assert_true(made.parts.at[0].unset);
	assert_int_equal(made.parts.at[0].bytes.length, 0);
	input_deinit(&made);
	dd_set_put(&set, 0, true);
	mix_apply(&mix, &set, &made);
	assert_false(made.parts.at[0].unset);
	assert_string_equal(str_text(&made.parts.at[0].bytes), "a");
	input_deinit(&made);
	dd_set_deinit(&set);
	mix_deinit(&mix);
	input_deinit(&input);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Sets of units that lie in a row are copied in stretches: the same bytes as one by one. */
static void test_row(void **state)
{
	struct level level = level_of(UNITS_BYTES);
	struct input input = {VEC_INIT}, made;
	char text[301], wanted[301];
	struct mix mix;

	srand(2);
	for (int i = 0; i < 300; i++)
		text[i] = (char)('a' + rand() % 26);
	text[300] = '\0';
	add(&input, INPUT_ARGUMENT, "x", true); /* units do not begin at 0 */
	add(&input, INPUT_STDIN, text, true);
	assert_null(mix_create(&input, &level, &mix));
	assert_true(mix.slots.at[1].row);
	for (int round = 0; round < 2000; round++) {
		int dense = 1 + rand() % 40, size = 0;
		bool in = rand() % 2;
		struct dd_set set;

		dd_set_init(&set, mix.units, false);
		for (int i = 0; i < 300; i++) {
			in ^= rand() % dense == 0;
			dd_set_put(&set, (uint32_t)i + 2, in);
			if (in)
				wanted[size++] = text[i];
		}
		wanted[size] = '\0';
		mix_apply(&mix, &set, &made);
		assert_string_equal(str_text(&made.parts.at[0].bytes), wanted);
		input_deinit(&made);
		dd_set_deinit(&set);
	}
	mix_deinit(&mix);
	input_deinit(&input);
}

/* A small part of many units is found in much less time than it takes to cut them. */
static void test_row_speed(void **state)
{
	struct level level = level_of(UNITS_BYTES);
	struct input input = {VEC_INIT}, made;
	char *text = malloc(2000001);
	double begin = now(), created;
	struct dd_set set;
	struct mix mix;

	memset(text, 'x', 2000000);
	text[2000000] = '\0';
	add(&input, INPUT_STDIN, text, true);
	assert_null(mix_create(&input, &level, &mix));
	created = now() - begin;
	dd_set_init(&set, mix.units, false);
	for (uint32_t i = 0; i < mix.units; i += 5000)
		dd_set_put(&set, i, true);
	begin = now();
	for (int i = 0; i < 100; i++) {
		mix_apply(&mix, &set, &made);
		assert_int_equal(made.parts.at[0].bytes.length, 400);
		input_deinit(&made);
	}
	assert_true(now() - begin < 2 * created);
	dd_set_deinit(&set);
	mix_deinit(&mix);
	input_deinit(&input);
	free(text);
}

static void random_text(char *out)
{
	int size = rand() % 10;

	for (int i = 0; i < size; i++)
		out[i] = "ab\n "[rand() % 4];
	out[size] = '\0';
}

static void random_input(struct input *input)
{
	char text[16];

	*input = (struct input){VEC_INIT};
	for (int i = rand() % 4; i > 0; i--) {
		random_text(text);
		add(input, INPUT_ARGUMENT, text, true);
	}
	random_text(text);
	add(input, INPUT_STDIN, text, true);
	random_text(text);
	add(input, INPUT_FILE, text, true);
	random_text(text);
	if (rand() % 3 == 0)
		text[0] = '\0';
	add(input, INPUT_VARIABLE, text, true);
	input->parts.at[input->parts.size - 1].unset = !text[0] && rand() % 2;
}

/* No unit gives the passing input, all give the failing one. */
static void test_ends(void **state)
{
	static const enum units_kind kinds[] = {UNITS_LINES, UNITS_TOKENS, UNITS_BYTES};

	srand(1);
	for (int i = 0; i < 3000; i++) {
		struct level level = level_of(kinds[i % 3]);
		struct input pass, fail, made;
		struct dd_set set;
		struct mix mix;

		level.parts = i % 5 == 0;
		random_input(&pass);
		random_input(&fail);
		assert_null(mix_create_difference(&pass, &fail, &level, &mix));
		for (int all = 0; all < 2; all++) {
			dd_set_init(&set, mix.units, all);
			mix_apply(&mix, &set, &made);
			assert_true(input_equal(&made, all ? &fail : &pass));
			input_deinit(&made);
			dd_set_deinit(&set);
		}
		assert_int_equal(mix.units == 0, input_equal(&pass, &fail));
		mix_deinit(&mix);
		input_deinit(&pass);
		input_deinit(&fail);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_argument_bytes), cmocka_unit_test(test_lines_keep_arguments),
		cmocka_unit_test(test_difference),     cmocka_unit_test(test_ends),
		cmocka_unit_test(test_variable),       cmocka_unit_test(test_row),
		cmocka_unit_test(test_row_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
