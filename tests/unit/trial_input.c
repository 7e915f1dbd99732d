/* Inputs: copies, comparison, hashes, files, and how they travel to a worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "trial/input.h"
#include "trial/trial_bytes.h"

static void make(struct input *out)
{
	*out = (struct input){0};
	input_add_bytes(out, INPUT_ARGUMENT, NULL, "-x", 2);
	input_add_bytes(out, INPUT_ARGUMENT, NULL, "", 0);
	input_add_bytes(out, INPUT_STDIN, NULL, "a\0b\n", 4);
	input_add_bytes(out, INPUT_FILE, "data.txt", "one\ntwo\n", 8);
	input_add_bytes(out, INPUT_VARIABLE, "MODE", "fast", 4);
	out->parts.at[2].varied = true;
}

static void test_copy(void **state)
{
	struct input a, b = {0};

	make(&a);
	input_copy(&b, &a);
	assert_true(input_equal(&a, &b));
	assert_int_equal(input_hash(&a), input_hash(&b));
	assert_true(b.parts.at[2].varied);
	assert_false(b.parts.at[0].varied);
	b.parts.at[2].bytes.text[1] = 'x';
	assert_false(input_equal(&a, &b));
	assert_int_not_equal(input_hash(&a), input_hash(&b));
	assert_int_equal(a.parts.at[2].bytes.text[1], 0);
	input_deinit(&a);
	input_deinit(&b);
	assert_int_equal(a.parts.size, 0);
}

/* What a careless hash or comparison would mix up. */
static void test_different(void **state)
{
	static const struct {
		const char *one, *two;
	} pairs[][2] = {
		{{"ab", "c"}, {"a", "bc"}},
		{{"", "a"}, {"a", ""}},
		{{"12345678", ""}, {"", "12345678"}},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct input in[2] = {{{0}}, {{0}}};

		for (int k = 0; k < 2; k++) {
			input_add_bytes(&in[k], INPUT_ARGUMENT, NULL, pairs[i][k].one,
			                strlen(pairs[i][k].one));
			input_add_bytes(&in[k], INPUT_ARGUMENT, NULL, pairs[i][k].two,
			                strlen(pairs[i][k].two));
		}
		assert_false(input_equal(&in[0], &in[1]));
		assert_int_not_equal(input_hash(&in[0]), input_hash(&in[1]));
		input_deinit(&in[0]);
		input_deinit(&in[1]);
	}
}

static void test_names_matter(void **state)
{
	struct input a, b = {0};

	make(&a);
	input_copy(&b, &a);
	free(b.parts.at[3].name);
	b.parts.at[3].name = strdup("other.txt");
	assert_false(input_equal(&a, &b));
	assert_int_not_equal(input_hash(&a), input_hash(&b));
	input_deinit(&b);
	input_deinit(&a);
}

static void test_file(void **state)
{
	char path[] = "/tmp/hence-input-XXXXXX";
	int fd = mkstemp(path);
	struct input input = {0};
	struct hence_error *error;

	assert_int_equal(write(fd, "x\0y", 3), 3);
	close(fd);
	assert_null(input_add_file(&input, INPUT_FILE, "name", path));
	assert_int_equal(input.parts.at[0].bytes.length, 3);
	assert_memory_equal(input.parts.at[0].bytes.text, "x\0y", 3);
	assert_string_equal(input.parts.at[0].name, "name");
	unlink(path);
	error = input_add_file(&input, INPUT_FILE, "name", path);
	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(error->message, path));
	assert_int_equal(input.parts.size, 1);
	error_destroy(error);
	error = input_add_file(&input, INPUT_STDIN, NULL, "/tmp");
	assert_non_null(error); /* a directory */
	error_destroy(error);
	input_deinit(&input);
}

static void check_text(const struct input *input, uint32_t part, const char *text)
{
	char *got = input_part_text(input, part);

	assert_string_equal(got, text);
	free(got);
}

static void test_text(void **state)
{
	struct input input;

	make(&input);
	check_text(&input, 0, "argument 1");
	check_text(&input, 1, "argument 2");
	check_text(&input, 2, "standard input");
	check_text(&input, 3, "the file data.txt");
	check_text(&input, 4, "the variable MODE");
	input_deinit(&input);
}

static void test_bytes(void **state)
{
	struct str bytes = STR_INIT;
	struct input input, back;
	struct str part = STR_INIT;
	struct trial_edit edit;

	make(&input);
	trial_bytes_put_input(&bytes, &input,
	                      &(struct trial_edit){.number = 7, .first = 3, .count = 12});
	assert_true(trial_bytes_get_input(&bytes, &back, &edit));
	assert_int_equal(edit.number, 7);
	assert_int_equal(edit.first, 3);
	assert_int_equal(edit.count, 12);
	assert_true(input_equal(&input, &back));
	assert_true(back.parts.at[2].varied);
	assert_null(back.parts.at[0].name);
	input_deinit(&back);
	for (size_t size = 0; size < bytes.length; size++) {
		part.text = bytes.text;
		part.length = size;
		assert_false(trial_bytes_get_input(&part, &back, &edit));
	}
	str_deinit(&bytes);
	input_deinit(&input);
}

static void test_result_bytes(void **state)
{
	struct trial_result result = {.cut = true, .test = -1, .pc = 0x1234, .seconds = 0.25};
	struct trial_result back;
	struct str bytes = STR_INIT, part = STR_INIT, extra = STR_INIT, more;

	str_add_bytes(&extra, "x\0y", 3);
	result.outcome.kind = OUTCOME_SIGNALLED;
	result.outcome.signal = 11;
	result.outcome.place.file = strdup("a.c");
	result.outcome.place.line = 17;
	result.other.kind = OUTCOME_EXITED;
	str_add_bytes(&result.output, "a\0b", 3);
	str_add(&result.right, "right");
	trial_bytes_put_result(&bytes, &result, &extra);
	assert_true(trial_bytes_get_result(&bytes, &back, &more));
	assert_int_equal(more.length, 3);
	assert_memory_equal(more.text, "x\0y", 3);
	str_deinit(&more);
	assert_true(back.cut);
	assert_int_equal(back.test, -1);
	assert_int_equal(back.pc, 0x1234);
	assert_true(back.seconds == 0.25);
	assert_int_equal(back.outcome.signal, 11);
	assert_string_equal(back.outcome.place.file, "a.c");
	assert_int_equal(back.other.kind, OUTCOME_EXITED);
	assert_int_equal(back.output.length, 3);
	assert_memory_equal(back.output.text, "a\0b", 3);
	assert_string_equal(str_text(&back.right), "right");
	trial_result_deinit(&back);
	for (size_t size = 0; size < bytes.length; size++) {
		part.text = bytes.text;
		part.length = size;
		assert_false(trial_bytes_get_result(&part, &back, &more));
	}
	trial_result_deinit(&result);
	str_deinit(&bytes);
	str_deinit(&extra);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy),         cmocka_unit_test(test_different),
		cmocka_unit_test(test_names_matter), cmocka_unit_test(test_file),
		cmocka_unit_test(test_text),         cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_result_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
