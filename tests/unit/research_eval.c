/* What `hence eval` measures in the reports of methods, against numbers that were counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "research/eval.h"

/* One fault at a.c:10 or b.c:3; another at a.c:20, give or take two lines. */
static void make(struct eval_case *c, bool both)
{
	struct eval_fault *fault;

	*c = (struct eval_case){.name = "x"};
	fault = vec_push(&c->faults);
	*vec_push(&fault->places) = (struct eval_place){"a.c", 10};
	*vec_push(&fault->places) = (struct eval_place){"b.c", 3};
	if (!both)
		return;
	fault = vec_push(&c->faults);
	fault->near = 2;
	*vec_push(&fault->places) = (struct eval_place){"src/a.c", 20};
}

static void release(struct eval_case *c)
{
	for (uint32_t i = 0; i < c->faults.size; i++)
		vec_deinit(&c->faults.at[i].places);
	vec_deinit(&c->faults);
}

/* The row of a report; its quotes are written as '. Caller frees with json_decref(). */
static json_t *measure(bool both, enum eval_method method, const char *text)
{
	char *json = strdup(text);
	json_t *report, *row = json_object();
	struct eval_case c;

	for (char *at = json; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	report = json_loads(json, 0, NULL);
	assert_non_null(report);
	make(&c, both);
	eval_measure(&c, method, report, 40, row);
	release(&c);
	json_decref(report);
	free(json);
	return row;
}

static void expect_number(json_t *row, const char *key, double number)
{
	json_t *value = json_object_get(row, key);

	assert_true(json_is_number(value));
	assert_true(json_number_value(value) == number);
}

static void expect_flag(json_t *row, const char *key, bool flag)
{
	json_t *value = json_object_get(row, key);

	assert_true(json_is_boolean(value));
	assert_int_equal(json_is_true(value), flag);
}

/* Lines that were there before do not count again. The fault is on the third one: 3 of 40 lines. */
static void test_rank(void **state)
{
	json_t *row = measure(false, EVAL_EXPLAIN,
	                      "{'verdict': 'explained', 'stats': {'experiments': 17}, 'suspects': ["
	                      "{'file': 'a.c', 'line': 9}, {'file': 'b.c', 'line': 10}, {'file': "
	                      "'a.c', 'line': 9},"
	                      "{'file': './b.c', 'line': 3}, {'file': 'a.c', 'line': 10}]}");

	expect_number(row, "suspects", 4);
	expect_number(row, "rank", 3);
	expect_number(row, "examined_percent", 7.5);
	expect_number(row, "experiments", 17);
	assert_string_equal(json_string_value(json_object_get(row, "verdict")), "explained");
	json_decref(row);
	row = measure(false, EVAL_EXPLAIN, "{'suspects': [{'file': 'a.c', 'line': 11}]}");
	expect_number(row, "rank", 0);
	expect_number(row, "examined_percent", 100);
	json_decref(row);
}

/* Near counts for the fault that has it only. */
static void test_near(void **state)
{
	json_t *row = measure(true, EVAL_EXPLAIN,
	                      "{'suspects': [{'file': 'a.c', 'line': 12}, {'file': 'a.c', 'line': "
	                      "17}, {'file': 'a.c', 'line': 22}]}");

	expect_number(row, "rank", 3);
	json_decref(row);
}

/* All faults must be in a chop. Two statements of line 18 are on columns 5 and 9; that of line 10 is listed twice. */
static void test_chop(void **state)
{
	const char *lines =
		"{'sizes': {'executed': 9}, 'chop': [{'file': 'a.c', 'line': 18, 'instances': "
		"[{'column': 5}, {'column': 9}]},"
		"{'file': 'a.c', 'line': 10, 'instances': [{'column': 2}, {'column': 2}]}]}";
	json_t *row = measure(true, EVAL_CHOP, lines);

	expect_flag(row, "has_fault", true);
	expect_number(row, "listed", 2);
	expect_number(row, "statements", 3);
	expect_number(json_object_get(row, "sizes"), "executed", 9);
	json_decref(row);
	row = measure(true, EVAL_CHOP, "{'chop': [{'file': 'a.c', 'line': 18}]}");
	expect_flag(row, "has_fault", false);
	json_decref(row);
}

/*
 * Node 1 has 5 instances, its children are 3 (7 instances, the second fault) and 2 (11, the first fault, in its statements). 4 below 2 has the
 * first fault, too. The level of both is 1; who reads 1, 3, 2 has read 23 instances.
 */
static void test_tree(void **state)
{
	const char *tree =
		"{'verdict': 'explained', 'tree': {'stats': {'nodes': 4, 'instances': 100, "
		"'inside': 30, 'experiments': 8}, 'nodes': ["
		"{'number': 1, 'level': 0, 'file': 'a.c', 'line': 30, 'size': 5, 'children': [3, "
		"2]},"
		"{'number': 2, 'level': 1, 'file': 'a.c', 'line': 31, 'size': 11, 'children': [4], "
		"'cause': [{'file': 'b.c', 'line': 3}]},"
		"{'number': 3, 'level': 1, 'file': 'a.c', 'line': 21, 'size': 7, 'children': []},"
		"{'number': 4, 'level': 2, 'file': 'a.c', 'line': 10, 'size': 13, 'children': "
		"[]}]}}";
	json_t *row = measure(true, EVAL_TREE, tree);

	expect_flag(row, "has_fault", true);
	expect_number(row, "level", 1);
	expect_number(row, "read", 23);
	expect_number(row, "inside", 30);
	expect_number(row, "experiments", 8);
	json_decref(row);
	row = measure(true, EVAL_TREE,
	              "{'tree': {'stats': {}, 'nodes': [{'number': 1, 'level': 0, 'file': 'a.c', "
	              "'line': 10, 'size': 5}]}}");
	expect_flag(row, "has_fault", false);
	assert_null(json_object_get(row, "level"));
	json_decref(row);
}

/* The first step that a statement made is the fault; one of the three is a transition. */
static void test_chain(void **state)
{
	json_t *row = measure(false, EVAL_IDEAL,
	                      "{'steps': [{'file': 'a.c', 'line': 1, 'transition': false},"
	                      "{'transition': true, 'cause': {'file': 'a.c', 'line': 10}}, "
	                      "{'transition': false, 'cause': {'file': 'a.c', 'line': 11}}],"
	                      "'quality': {'coverage': 0.5}}");

	expect_number(row, "steps", 3);
	expect_number(row, "transitions", 1);
	expect_flag(row, "begins_at_fault", true);
	expect_number(json_object_get(row, "quality"), "coverage", 0.5);
	json_decref(row);
}

/* --- scores: 1 -> 2 -> 3 -> 4, and 10 -> 2; 3 and 4 are blamed, and 3 is the first with a wrong value --- */

static json_t *score(const char *dual)
{
	json_t *graph =
		json_loads("{\"nodes\": [{\"file\": \"a.c\", \"line\": 1},"
	                   "{\"file\": \"a.c\", \"line\": 2, \"data\": [0, 4], \"control\": [4]},"
	                   "{\"file\": \"a.c\", \"line\": 3, \"control\": [1]},"
	                   "{\"file\": \"a.c\", \"line\": 4, \"data\": [2, 99, -1, \"x\"]},"
	                   "{\"file\": \"a.c\", \"line\": 10}]}",
	                   0, NULL);
	json_t *report = json_loads("{\"steps\": ["
	                            "{\"transition\": false, \"cause\": {\"file\": \"a.c\", "
	                            "\"line\": 1, \"statement\": \"a = 1\"}},"
	                            "{\"transition\": true, \"cause\": {\"file\": \"a.c\", "
	                            "\"line\": 3, \"statement\": \"c = 3\"}},"
	                            "{\"transition\": true, \"cause\": {\"file\": \"a.c\", "
	                            "\"line\": 4, \"statement\": \"d = 0x5555deadbe\"}}]}",
	                            0, NULL);
	json_t *slice = dual ? json_loads(dual, 0, NULL) : NULL, *out;
	struct eval_case c;

	make(&c, false);
	out = eval_score(&c, graph, report, slice);
	release(&c);
	json_decref(graph);
	json_decref(report);
	json_decref(slice);
	return out;
}

static void test_score(void **state)
{
	json_t *out = score("{\"dual_slice\": ["
	                    "{\"file\": \"a.c\", \"line\": 1, \"failing\": {\"text\": \"a = 1\"}},"
	                    "{\"file\": \"a.c\", \"line\": 3, \"failing\": {\"text\": \"c = 3\"}, "
	                    "\"reference\": {\"text\": \"c = 5\"}}]}");

	/* 3 4 | 2 | 1 10: all. */
	expect_number(out, "blamed", 2);
	expect_number(out, "faulty", 1);
	expect_number(json_object_get(out, "plain"), "distance", 2);
	expect_number(json_object_get(out, "plain"), "examined", 5);
	expect_number(json_object_get(out, "relevant"), "examined", 5);
	/* 3 | 2 | 1 10. */
	expect_number(json_object_get(out, "infected"), "examined", 4);
	json_decref(out);
	/* The same value in both runs is not wrong; a statement that only the failing run has is. */
	out = score("{\"dual_slice\": ["
	            "{\"file\": \"a.c\", \"line\": 3, \"failing\": {\"text\": \"c = 3\"}, "
	            "\"reference\": {\"text\": \"c = 3\"}},"
	            "{\"file\": \"a.c\", \"line\": 4, \"failing\": {\"text\": \"d = "
	            "0x5555deadbe\"}}]}");
	/* 4 | 3 | 2 | 1 10. */
	expect_number(json_object_get(out, "infected"), "examined", 5);
	json_decref(out);
	/* Nor is the same at another address. */
	out = score("{\"dual_slice\": [{\"file\": \"a.c\", \"line\": 4, \"failing\": {\"text\": "
	            "\"d = 0x5555deadbe\"}, \"reference\": {\"text\": \"d = 0x5555deaf00\"}}]}");
	assert_null(json_object_get(out, "infected"));
	json_decref(out);
	out = score(NULL);
	expect_flag(out, "infected_known", false);
	assert_null(json_object_get(out, "infected"));
	json_decref(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank),  cmocka_unit_test(test_near),
		cmocka_unit_test(test_chop),  cmocka_unit_test(test_tree),
		cmocka_unit_test(test_chain), cmocka_unit_test(test_score),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
