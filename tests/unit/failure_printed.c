/*
 * What calls of a run print, part by part; which part differs between two runs; and what a hybrid's
 * text says. And the calls of a run by time. Expectations follow from the programs' text.
 */
#include "trace_decoded.h"

#include "failure/symptom.h"
#include "methods/calls.h"

static struct recording run_of(const struct decoded *d)
{
	return (struct recording){
		.modules = d->modules, .folder = decoded_session.path, .table = decoded_models};
}

/* --- what was printed --- */

static const char printing[] = "#include <stdio.h>\n"
			       "#include <unistd.h>\n"
			       "int main(void) {\n"
			       "  int x = 17; const char *s = \"word\";\n"
			       "  printf(\"x = %d, s = %s;\\n\", x, s); /*both*/\n"
			       "  puts(s); /*puts*/\n"
			       "  putchar('c'); /*char*/\n"
			       "  printf(\"%d%d\", x, 4); /*close*/\n"
			       "  fprintf(stderr, \"no\"); /*error*/\n"
			       "  printf(\"plain\\n\"); /*plain*/\n"
			       "  return 0; }\n";

static struct printed find(struct decoded *d, struct printed_wish wish)
{
	struct recording run = run_of(d);
	struct printed printed = {0};
	struct hence_error *error = printed_find(&run, &wish, &printed);

	if (error)
		fail_msg("%s", error->message);
	return printed;
}

/* Parts as text: literals in brackets, others with the number of their argument in front. */
static void check_call(const struct decoded *d, const struct printed_call *call, const char *line,
                       const char *expected)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < call->parts.size; i++) {
		const struct printed_part *part = &call->parts.at[i];

		if (part->literal)
			str_printf(&text, "[%s]", str_text(&part->text));
		else
			str_printf(&text, "%u:%s", part->key, str_text(&part->text));
	}
	assert_string_equal(str_text(&text), expected);
	str_deinit(&text);
	assert_true(call->known);
	assert_int_equal(call->line, decoded_line(d, line));
	assert_string_equal(call->function, "main");
}

static void test_printed(void **state)
{
	struct decoded d = decoded_record(printing);
	struct printed all = find(&d, (struct printed_wish){.to = UINT64_MAX});
	struct printed some;

	assert_int_equal(all.calls.size, 5);
	check_call(&d, &all.calls.at[0], "both", "[x = ]2:17[, s = ]3:word[;\n]");
	check_call(&d, &all.calls.at[1], "puts", "1:word[\n]");
	check_call(&d, &all.calls.at[2], "char", "1:c");
	check_call(&d, &all.calls.at[3], "close", "2:173:4");
	check_call(&d, &all.calls.at[4], "plain", "1:plain\n");
	assert_int_equal(all.calls.at[1].offset, 18);
	assert_int_equal(all.calls.at[4].offset, 27);
	/* Both assignments are statements, too. */
	assert_int_equal(all.calls.at[0].time, 3);
	assert_int_equal(all.calls.at[3].time, 6);
	assert_int_equal(all.calls.at[4].time, 8);
	some = find(&d, (struct printed_wish){.from = 22, .to = 24});
	assert_int_equal(some.calls.size, 2);
	check_call(&d, &some.calls.at[0], "puts", "1:word[\n]");
	check_call(&d, &some.calls.at[1], "char", "1:c");
	printed_deinit(&some);
	some = find(&d, (struct printed_wish){.begin = 5, .end = UINT64_MAX, .most = 1});
	assert_int_equal(some.calls.size, 1);
	check_call(&d, &some.calls.at[0], "char", "1:c");
	printed_deinit(&some);
	some = find(&d, (struct printed_wish){.last = true});
	assert_int_equal(some.calls.size, 1);
	check_call(&d, &some.calls.at[0], "plain", "1:plain\n");
	printed_deinit(&some);
	printed_deinit(&all);
	decoded_free(&d);
}

/* --- two calls --- */

static void add_part(struct printed_call *call, uint32_t key, bool literal, const char *text)
{
	struct printed_part *part = vec_push(&call->parts);

	part->key = key;
	part->literal = literal;
	part->offset = call->size;
	str_add(&part->text, text);
	call->size += strlen(text);
	call->known = true;
}

static struct printed_call call_of(const char *x, const char *y)
{
	struct printed_call call = {0};

	add_part(&call, 2, false, x);
	add_part(&call, 1, true, " + ");
	add_part(&call, 3, false, y);
	add_part(&call, 1, true, "\n");
	return call;
}

static void free_call(struct printed_call *call)
{
	struct printed printed = {0};

	*vec_push(&printed.calls) = *call;
	printed_deinit(&printed);
}

static enum verdict judge(const struct symptom_text *text, const char *put, bool ended)
{
	return symptom_text_judge(text, put, strlen(put), ended);
}

static void test_parts(void **state)
{
	struct printed_call a = call_of("1", "20"), b = call_of("1", "2");
	struct symptom_text text;

	assert_true(symptom_text_compare(&a, &b, 0, &text));
	assert_string_equal(str_text(&text.failing), "20");
	assert_string_equal(str_text(&text.reference), "2");
	assert_int_equal(judge(&text, "1 + 20\n", true), VERDICT_FAIL);
	assert_int_equal(judge(&text, "1 + 2\n", true), VERDICT_PASS);
	/* Other arguments may be as they like, the rest may not. */
	assert_int_equal(judge(&text, "whatever + 20\n", true), VERDICT_FAIL);
	assert_int_equal(judge(&text, " + 2\n", true), VERDICT_PASS);
	assert_int_equal(judge(&text, "1 + 200\n", true), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&text, "1 + 3\n", true), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&text, "1 - 2\n", true), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&text, "1 + 20\nmore\n", true), VERDICT_UNRESOLVED);
	/* Where the call's text ends is not known. */
	assert_int_equal(judge(&text, "1 + 20\nmore\n", false), VERDICT_FAIL);
	assert_int_equal(judge(&text, "1 + 2\n1 + 20\n", false), VERDICT_PASS);
	symptom_text_deinit(&text);
	free_call(&a);
	free_call(&b);
}

static void test_first_part(void **state)
{
	struct printed_call a = call_of("1", "20"), b = call_of("7", "2");
	struct symptom_text text;

	assert_true(symptom_text_compare(&a, &b, 0, &text));
	assert_string_equal(str_text(&text.failing), "1");
	assert_int_equal(judge(&text, "1 + 99\n", true), VERDICT_FAIL);
	assert_int_equal(judge(&text, "7 + 20\n", true), VERDICT_PASS);
	symptom_text_deinit(&text);
	/* What is before the wrong byte does not count. */
	assert_true(symptom_text_compare(&a, &b, 4, &text));
	assert_string_equal(str_text(&text.failing), "20");
	symptom_text_deinit(&text);
	free_call(&b);
	b = call_of("1", "20");
	assert_false(symptom_text_compare(&a, &b, 0, &text));
	free_call(&a);
	free_call(&b);
}

/* Calls that print other things as a whole, or nothing. */
static void test_whole(void **state)
{
	struct printed_call a = {0}, b = {0};
	struct symptom_text text;

	add_part(&a, 1, false, "yes\n");
	add_part(&b, 1, false, "yes, but\n");
	assert_true(symptom_text_compare(&a, &b, 0, &text));
	assert_int_equal(judge(&text, "yes\n", true), VERDICT_FAIL);
	assert_int_equal(judge(&text, "yes, but\n", true), VERDICT_PASS);
	assert_int_equal(judge(&text, "yes", true), VERDICT_UNRESOLVED);
	symptom_text_deinit(&text);
	assert_true(symptom_text_compare(&a, NULL, 0, &text));
	assert_int_equal(judge(&text, "", true), VERDICT_PASS);
	assert_int_equal(judge(&text, "yes\n", true), VERDICT_FAIL);
	assert_int_equal(judge(&text, "yes\nno", false), VERDICT_FAIL);
	assert_int_equal(judge(&text, "no", false), VERDICT_PASS);
	symptom_text_deinit(&text);
	free_call(&a);
	free_call(&b);
}

static void check_shown(const char *text, const char *expected)
{
	struct str whole = STR_INIT, shown = STR_INIT;

	str_add(&whole, text);
	symptom_show(&whole, &shown);
	assert_string_equal(str_text(&shown), expected);
	str_deinit(&whole);
	str_deinit(&shown);
}

static void test_shown(void **state)
{
	check_shown("17\n", "17");
	check_shown("two words\n", "\"two words\"");
	check_shown("", "\"\"");
	check_shown("\033[2J", "\"\\033[2J\"");
}

/* --- calls --- */

static const char calling[] = "#include <stdlib.h>\n"
			      "int g;\n"
			      "static int by(const void *a, const void *b) {\n"
			      "  g++;\n"                            /* 10, 12, ... */
			      "  return *(int *)a - *(int *)b; }\n" /* 11, 13, ... */
			      "static void leaf(void) { g = 1; }\n" /* 4, 5 */
			      "static void twice(void) {\n"
			      "  leaf();\n"   /* 3 */
			      "  leaf(); }\n" /* 6 */
			      "int main(void) {\n"
			      "  int a[3] = {1, 2, 3};\n" /* 1 */
			      "  twice();\n"              /* 2 */
			      "  qsort(a, 3, sizeof(*a), by);\n"
			      "  return g; }\n";

/* At most `most` points between two times, which are more: only those at calls are left. `without` is in one run only;
   0: none. */
static void check_between(const struct calls *calls, uint64_t from, uint64_t to, uint64_t without,
                          uint32_t most, const char *expected)
{
	struct alignment alignment = {0};
	struct call_times times = {0};
	struct str text = STR_INIT;

	*vec_push(&alignment.spans) = (struct align_span){1, 1, without ? without - 1 : 15};
	if (without)
		*vec_push(&alignment.spans) =
			(struct align_span){without + 1, without + 1, 15 - without};
	assert_true(calls_count_between(&alignment, from, to) > most);
	calls_between(calls, &alignment, from, to, most, &times);
	for (uint32_t i = 0; i < times.at.size; i++)
		str_printf(&text, "%s%llu", i ? " " : "", (unsigned long long)times.at.at[i]);
	assert_string_equal(str_text(&text), expected);
	str_deinit(&text);
	vec_deinit(&times.at);
	vec_deinit(&alignment.spans);
}

/* A call owns its frame as long as it is under way, whatever it calls. */
static void check_owners(const struct calls *calls)
{
	uint64_t in_main = calls->levels.at[0].calls.at[0].frame;
	uint64_t in_first = calls->levels.at[1].calls.at[1].frame;
	uint64_t in_second = calls->levels.at[1].calls.at[2].frame;

	assert_int_equal(calls_owner(calls, 1, in_main), 1);
	assert_int_equal(calls_owner(calls, 8, in_main + 4), 1);
	assert_int_equal(calls_owner(calls, 11, in_first), 11);
	assert_int_equal(calls_owner(calls, 13, in_second), 13);
	assert_int_equal(calls_owner(calls, 15, in_second), 0);
	assert_int_equal(calls_owner(calls, 1, 4096), 0);
}

/* Statements: 1 a, 2 twice() [3 leaf() [4 g = 1, 5 return], 6 leaf() [7, 8], 9 return], 10 qsort()
   [11 g++, 12 return] [13, 14], 15 return. */
static void test_calls_by_time(void **state)
{
	struct decoded d = decoded_record(calling);
	struct recording run = run_of(&d);
	struct calls calls;

	assert_null(calls_find(&run, UINT64_MAX, &calls));
	assert_int_equal(calls.main, 1);
	assert_int_equal(calls.levels.size, 3);
	assert_int_equal(calls_depth(&calls, 1), 1);
	assert_int_equal(calls_depth(&calls, 3), 2);
	assert_int_equal(calls_depth(&calls, 4), 3);
	assert_int_equal(calls_depth(&calls, 6), 2);
	assert_int_equal(calls_depth(&calls, 10), 1);
	assert_int_equal(calls_depth(&calls, 11), 2);
	assert_int_equal(calls_depth(&calls, 15), 1);
	check_owners(&calls);
	assert_true(calls_is_call(&calls, 2));
	assert_true(calls_is_call(&calls, 6));
	assert_false(calls_is_call(&calls, 4));
	assert_true(calls_is_entry(&calls, 1));
	assert_true(calls_is_entry(&calls, 7));
	assert_false(calls_is_entry(&calls, 6));
	check_between(&calls, 1, 9, 0, 2, "2 3");
	check_between(&calls, 1, 16, 0, 6, "2 3 10 11 13 15");
	check_between(&calls, 3, 9, 0, 3, "4 6 7");
	check_between(&calls, 1, 12, 2, 3, "3 10 11");
	check_between(&calls, 7, 9, 0, 0, "");
	calls_deinit(&calls);
	decoded_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printed),    cmocka_unit_test(test_parts),
		cmocka_unit_test(test_first_part), cmocka_unit_test(test_whole),
		cmocka_unit_test(test_shown),      cmocka_unit_test(test_calls_by_time),
	};

	return cmocka_run_group_tests_name("failure_printed", tests, decoded_set_up,
	                                   decoded_tear_down);
}
