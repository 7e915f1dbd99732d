/* Chains against an ideal one: measures that were counted by hand, and files that are no report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "methods/chain.h"

/* A chain of lines of a.c, in main; 0 is a step that no statement made. */
static void make(const char *lines, struct chain_statements *out)
{
	struct explanation e = {0};

	for (; *lines; lines++) {
		struct explanation_step *step = vec_push(&e.steps);

		*step = (struct explanation_step){.transition = *lines != '0'};
		if (*lines != '0')
			step->cause = (struct explanation_place){.file = mem_strdup("a.c"),
			                                         .function = mem_strdup("main"),
			                                         .line = (unsigned)(*lines - '0')};
	}
	*out = (struct chain_statements){0};
	chain_statements_of(&e, out);
	explanation_deinit(&e);
}

static struct chain_quality measure(const char *ideal, const char *own)
{
	struct chain_statements a, b;
	struct chain_quality quality;

	make(ideal, &a);
	make(own, &b);
	chain_quality_of(&a, &b, &quality);
	chain_statements_deinit(&a);
	chain_statements_deinit(&b);
	return quality;
}

static void check(const char *ideal, const char *own, const char *expected)
{
	struct chain_quality quality = measure(ideal, own);
	struct str text = STR_INIT;

	chain_quality_add_text(&quality, &text);
	assert_string_equal(str_text(&text), expected);
	str_deinit(&text);
}

static void test_measures(void **state)
{
	check("1347", "1347",
	      "coverage 100 % (4 of 4), relevance 100 % (4 of 4), edit distance 0, root captured");
	/* 1 and 7 in common; 3 and 4 become 2 and 6 */
	check("1347", "1267",
	      "coverage 50 % (2 of 4), relevance 50 % (2 of 4), edit distance 2, root captured");
	/* The root is missing, and something else comes first. */
	check("1347", "5347",
	      "coverage 75 % (3 of 4), relevance 75 % (3 of 4), edit distance 1, root not "
	      "captured");
	/* It begins too late, and has all that it has from the ideal one. */
	check("1347", "47",
	      "coverage 50 % (2 of 4), relevance 100 % (2 of 2), edit distance 2, root not "
	      "captured");
	check("1347", "",
	      "coverage 0 % (0 of 4), relevance 0 % (0 of 0), edit distance 4, root not captured");
	check("13", "31",
	      "coverage 100 % (2 of 2), relevance 100 % (2 of 2), edit distance 2, root captured");
}

/* The input is no statement; one that follows itself is one; a loop comes back to others. */
static void test_sequences(void **state)
{
	check("12", "0112",
	      "coverage 100 % (2 of 2), relevance 100 % (2 of 2), edit distance 0, root captured");
	check("12323", "123",
	      "coverage 100 % (3 of 3), relevance 100 % (3 of 3), edit distance 2, root captured");
}

static void test_json(void **state)
{
	struct chain_quality quality = measure("125", "15");
	struct str text = STR_INIT;

	chain_quality_add_json(&quality, &text);
	assert_string_equal(str_text(&text),
	                    "{\"coverage\":0.67,\"relevance\":1.00,\"edit_distance\":1,\"root\":"
	                    "true,\"ideal_statements\":3,\"statements\":2,\"common\":2}");
	str_deinit(&text);
}

/* --- files --- */

static struct hence_error *read_text(const char *text, struct chain_statements *out)
{
	char path[] = "quality.XXXXXX";
	struct hence_error *error;
	int file = mkstemp(path);

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
	error = chain_statements_read(path, out);
	unlink(path);
	return error;
}

static void test_read(void **state)
{
	struct chain_statements statements;
	struct hence_error *error = read_text(
		"{\"hence\":1,\"steps\":["
		"{\"file\":\"a.c\",\"line\":9,\"transition\":false},"
		"{\"file\":\"a.c\",\"line\":3,\"transition\":true,\"cause\":{\"file\":\"a.c\","
		"\"line\":2,\"function\":\"f\"}},"
		"{\"file\":\"a.c\",\"line\":4,\"observed\":true,\"transition\":false}]}",
		&statements);

	assert_null(error);
	assert_int_equal(statements.all.size, 1);
	assert_string_equal(statements.all.at[0].file, "a.c");
	assert_string_equal(statements.all.at[0].function, "f");
	assert_int_equal(statements.all.at[0].line, 2);
	chain_statements_deinit(&statements);
}

static void refuse(const char *text, const char *why)
{
	struct chain_statements statements;
	struct hence_error *error = read_text(text, &statements);

	assert_non_null(error);
	if (!strstr(error->message, why))
		fail_msg("'%s' has no '%s'", error->message, why);
	error_destroy(error);
}

static void test_no_reports(void **state)
{
	struct chain_statements statements;
	struct hence_error *error = chain_statements_read("missing.json", &statements);

	assert_non_null(error);
	assert_non_null(strstr(error->message, "cannot read missing.json"));
	error_destroy(error);
	refuse("", "is no report of hence");
	refuse("{\"hence\":1", "is no report of hence");
	refuse("[1,2]", "it has no version");
	refuse("{\"steps\":[]}", "it has no version");
	refuse("{\"hence\":\"1\",\"steps\":[]}", "it has no version");
	refuse("{\"hence\":2,\"steps\":[]}", "another version");
	refuse("{\"hence\":1}", "it has no steps");
	refuse("{\"hence\":1,\"steps\":{}}", "it has no steps");
	refuse("{\"hence\":1,\"steps\":[1,null,{\"transition\":true,\"cause\":7}]}",
	       "there is nothing to compare with");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_measures),   cmocka_unit_test(test_sequences),
		cmocka_unit_test(test_json),       cmocka_unit_test(test_read),
		cmocka_unit_test(test_no_reports),
	};

	return cmocka_run_group_tests_name("methods_chain_quality", tests, NULL, NULL);
}
