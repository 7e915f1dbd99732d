/* Cause trees as text, as JSON, for editors and as graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "cause_tree_made.h"

/* Bytes that no terminal, no JSON and no graph may get as they are. */
#define HOSTILE "\x1b[31m\"\\\n\xff\xe2\x80\xae]</a>"

/* --- what is printed --- */

enum form { TEXT, FULL, FOLDED, PATH, NODE, JSON, CHOSEN, GCC, DOT };

/* Caller frees. */
static char *print(const struct cause_tree *t, enum form form)
{
	const struct explanation_style style = {.coloured = false, .width = 80};
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	switch (form) {
	case TEXT: cause_tree_print_text(t, &style, 99, false, file); break;
	case FULL: cause_tree_print_text(t, &style, 99, true, file); break;
	case FOLDED: cause_tree_print_text(t, &style, 0, false, file); break;
	case PATH: cause_tree_print_path(t, 4, &style, file); break;
	case NODE: cause_node_print_text(t, 2, &style, file); break;
	case JSON: cause_tree_print_json(t, 0, file); break;
	case CHOSEN: cause_tree_print_json(t, 4, file); break;
	case GCC: cause_tree_print_gcc(t, file); break;
	case DOT: cause_tree_print_dot(t, file); break;
	}
	fclose(file);
	return text;
}

static void assert_prints(const struct cause_tree *t, enum form form, const char *expected)
{
	char *text = print(t, form);

	assert_string_equal(text, expected);
	free(text);
}

#define ROOT                                                                                       \
	"1. a.c:20:2 in main()\n"                                                                  \
	"     assert(d == 5);\n"                                                                   \
	"     ^\n"                                                                                 \
	"   d == 5 is false: 4 == 5\n"                                                             \
	"   made so by\n"                                                                          \
	"     a.c:9  d = c + 3 = 4\n"

#define STATS                                                                                      \
	"\n5 causes, 1 proven; 9 instances of 200 in the tree (4.50 %), 6 lines; 1 solver\n"       \
	"call, 40 experiments, 0.25 seconds\n"

#define UPPER                                                                                      \
	"./a: assertion d == 5 fails\n\n" ROOT "\n   2. a.c:8 in main()\n"                         \
	"      a <= 0 is false: 2 <= 0\n"                                                          \
	"      decides whether line 9 is executed\n"                                               \
	"\n      4. a.c:4 in main() PROVEN\n"                                                      \
	"         chose the place in memory that cause 2 uses\n"                                   \
	"         proven: with i > 3 false at a.c:4, execution 3, the run passes\n"                \
	"           [experiment 13]; so do 4 other changes [experiments 12, 14, 15, 16]\n"         \
	"         the solver gave up: some of these statements may not matter\n"

#define LOWER                                                                                      \
	"\nlook first at\n  a.c:4  with i > 3 false\n" STATS                                       \
	"what led to 1 of the causes was not computed; --levels says how deep\n"

/* Causes that were tried without success are printed in short. */
static void test_text(void **state)
{
	struct cause_tree t;

	(void)state;
	made_tree(&t);
	t.nodes.at[2].tried = t.nodes.at[4].tried = true;
	assert_prints(&t, TEXT,
	              UPPER "\n"
	                    "   3. a.c:6  b < 0 is false; could change b.c:9\n"
	                    "      5. a.c:5  p == &x is false; not written for cause 3\n" LOWER);
	cause_tree_deinit(&t);
}

#define THIRD                                                                                      \
	"\n   3. a.c:6 in main(), 3 executions, the last is number 7\n"                            \
	"      b < 0 is false\n"                                                                   \
	"      could have changed what b.c:9 reads, had it gone another way\n"                     \
	"      see also 4\n"                                                                       \
	"\n      5. a.c:5 in main()\n"                                                             \
	"         p == &x is false\n"                                                              \
	"         could have written what cause 3 reads, but wrote elsewhere\n"

static void test_full(void **state)
{
	struct cause_tree t;

	(void)state;
	made_tree(&t);
	/* Not tried: nothing is known against them. */
	assert_prints(&t, TEXT, UPPER THIRD LOWER);
	t.nodes.at[2].tried = t.nodes.at[4].tried = true;
	assert_prints(&t, FULL, UPPER THIRD LOWER);
	cause_tree_deinit(&t);
}

/* Where nothing is proven, nothing is told in short. References to what is not proven are for `full`. */
static void test_unproven(void **state)
{
	struct cause_tree t;
	char *text;

	(void)state;
	made_tree(&t);
	t.nodes.at[2].tried = true;
	t.nodes.at[3].proven = false;
	t.stats.proven = 0;
	text = print(&t, TEXT);
	assert_non_null(strstr(text, "   3. a.c:6 in main(), 3 executions"));
	assert_null(strstr(text, "see also"));
	assert_null(strstr(text, "proven:"));
	assert_null(strstr(text, "look first"));
	free(text);
	text = print(&t, FULL);
	assert_non_null(strstr(text, "      see also 4\n"));
	free(text);
	cause_tree_deinit(&t);
}

/* Levels are folded, but the way to what is proven is shown. */
static void test_folded(void **state)
{
	struct cause_tree t;
	char *text;

	(void)state;
	made_tree(&t);
	text = print(&t, FOLDED);
	assert_non_null(strstr(text, "\n   2. a.c:8"));
	assert_non_null(strstr(text, "\n      4. a.c:4"));
	assert_null(strstr(text, "3. a.c:6"));
	assert_non_null(strstr(text, "\n   ... 2 more causes below 1 (--full)\n"));
	free(text);
	assert_int_equal(cause_tree_below(&t, 1), 4);
	assert_int_equal(cause_tree_below(&t, 3), 1);
	assert_int_equal(cause_tree_deepest(&t, 5), 2);
	assert_int_equal(cause_tree_deepest(&t, 4), 1);
	assert_int_equal(cause_tree_deepest(&t, 1), 0);
	cause_tree_deinit(&t);
}

/* A run that passes since the check is not made proves nothing. */
static void test_evasion(void **state)
{
	struct cause_tree t;
	struct cause_node *node;
	char *text;

	(void)state;
	made_tree(&t);
	node = &t.nodes.at[1];
	made_proof(node, CAUSE_BRANCH, "n > 4", "false", false);
	node->proofs.at[0].outcome = VERDICT_PASS;
	node->proofs.at[0].avoids = true;
	text = print(&t, TEXT);
	assert_non_null(strstr(
		text, "\n      no proof: with n > 4 false at a.c:4, execution 3, the run passes\n"
		      "        [experiment 12], but avoids the check\n"));
	free(text);
	cause_tree_deinit(&t);
}

/* Where to look: branches, then values in the order of time, of many the first and the last. */
static void test_advice(void **state)
{
	static const unsigned times[] = {5, 3, 9, 1, 7, 8};
	struct cause_tree t;
	struct cause_node *node;
	char *text;

	(void)state;
	made_tree(&t);
	node = &t.nodes.at[1];
	for (unsigned i = 0; i < 6; i++) {
		made_proof(node, CAUSE_VALUE, "v", "1", true);
		node->proofs.at[i].time = times[i];
		node->proofs.at[i].at.line = 10 * times[i];
	}
	made_proof(node, CAUSE_BRANCH, "w", "true", true);
	node->proofs.at[6].at.line = 77;
	for (uint32_t i = 0; i < t.nodes.at[3].proofs.size; i++)
		t.nodes.at[3].proofs.at[i].counts = false;
	text = print(&t, TEXT);
	assert_non_null(strstr(text, "\nlook first at\n  a.c:77  with w true\n"
	                             "  a.c:10  with v = 1\n  a.c:30  with v = 1\n"
	                             "  a.c:50  with v = 1\n  a.c:80  with v = 1\n"
	                             "  a.c:90  with v = 1\n\n"));
	free(text);
	cause_tree_deinit(&t);
}

/* Of many children twelve are told. */
static void test_many_children(void **state)
{
	struct cause_tree t;
	char *text;

	(void)state;
	made_tree(&t);
	for (unsigned i = 0; i < 20; i++)
		made_node(&t, 1, CAUSE_DIRECT, 100 + i, "x", NULL)->tried = true;
	text = print(&t, TEXT);
	/* 2 and 3, and ten of these. */
	assert_non_null(strstr(text, "\n   15. a.c:109  x is false; decides cause 1\n"));
	assert_null(strstr(text, "   16. a.c:110"));
	assert_non_null(strstr(text, "\n   ... 10 more causes below 1 (--full)\n"));
	free(text);
	text = print(&t, FULL);
	assert_non_null(strstr(text, "\n   25. a.c:119 in main()\n"));
	assert_null(strstr(text, "more causes"));
	free(text);
	cause_tree_deinit(&t);
}

static void test_incomplete(void **state)
{
	struct cause_tree t;
	char *text;

	(void)state;
	made_tree(&t);
	t.complete = false;
	*vec_push(&t.notes) = mem_strdup("the time was up");
	text = print(&t, TEXT);
	assert_non_null(strstr(text, "\nthe tree is not complete\nnote: the time was up\n"));
	free(text);
	cause_tree_deinit(&t);
}

/* Of many statements the first and the last. */
static void test_many_statements(void **state)
{
	struct cause_tree t;

	(void)state;
	made_tree(&t);
	for (unsigned i = 0; i < 20; i++)
		made_statement(&t.nodes.at[1], 30 + i, "x++", i == 19 ? 5 : 1, false);
	assert_prints(&t, NODE,
	              "2. a.c:8 in main()\n"
	              "   a <= 0 is false: 2 <= 0\n"
	              "   decides whether line 9 is executed\n"
	              "   made so by\n"
	              "     a.c:30  x++\n"
	              "     a.c:31  x++\n"
	              "     a.c:32  x++\n"
	              "     a.c:33  x++\n"
	              "     a.c:34  x++\n"
	              "     a.c:35  x++\n"
	              "     ... 7 more\n"
	              "     a.c:43  x++\n"
	              "     a.c:44  x++\n"
	              "     a.c:45  x++\n"
	              "     a.c:46  x++\n"
	              "     a.c:47  x++\n"
	              "     a.c:48  x++\n"
	              "     a.c:49  x++ x5\n");
	cause_tree_deinit(&t);
}

/* Of a loop the first and the last execution stand for all. */
static void test_repeated_statements(void **state)
{
	struct cause_tree t;

	(void)state;
	made_tree(&t);
	made_statement(&t.nodes.at[1], 30, "i = 1", 7, false);
	made_statement(&t.nodes.at[1], 31, "n = 4", 7, false);
	made_statement(&t.nodes.at[1], 30, "i = 7", 7, false);
	assert_prints(&t, NODE,
	              "2. a.c:8 in main()\n"
	              "   a <= 0 is false: 2 <= 0\n"
	              "   decides whether line 9 is executed\n"
	              "   made so by\n"
	              "     a.c:30  i = 1 (first of 7)\n"
	              "     a.c:31  n = 4 x7\n"
	              "     a.c:30  i = 7 (last of 7)\n");
	cause_tree_deinit(&t);
}

static void test_path(void **state)
{
	struct cause_tree t;
	char *text;

	(void)state;
	made_tree(&t);
	text = print(&t, PATH);
	assert_non_null(strstr(text, "./a: assertion d == 5 fails\n\n" ROOT "\n2. a.c:8"));
	assert_non_null(strstr(text, "\n4. a.c:4"));
	assert_null(strstr(text, "3. a.c:6"));
	free(text);
	cause_tree_deinit(&t);
}

/* --- for programs --- */

static json_t *parse(const struct cause_tree *t, enum form form)
{
	char *text = print(t, form);
	json_error_t error;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!json)
		fail_msg("%s in %s", error.text, text);
	free(text);
	return json;
}

static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static json_int_t number_at(const json_t *object, const char *key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return json_integer_value(json_object_get(object, key));
}

static void check_node(const json_t *node)
{
	const json_t *proof = json_array_get(json_object_get(node, "proof"), 1);

	assert_int_equal(number_at(node, "number"), 4);
	assert_int_equal(number_at(node, "parent"), 2);
	assert_int_equal(number_at(node, "level"), 2);
	assert_string_equal(text_at(node, "reason"), "address");
	assert_string_equal(text_at(node, "how"), "unknown");
	assert_null(text_at(node, "wanted"));
	assert_true(json_is_true(json_object_get(node, "proven")));
	assert_string_equal(text_at(proof, "kind"), "branch");
	assert_string_equal(text_at(proof, "changed"), "i > 3");
	assert_string_equal(text_at(proof, "from"), "1");
	assert_string_equal(text_at(proof, "to"), "false");
	assert_string_equal(text_at(proof, "outcome"), "pass");
	assert_int_equal(number_at(proof, "line"), 4);
	assert_int_equal(number_at(proof, "instance"), 3);
}

static void test_json(void **state)
{
	struct cause_tree t;
	json_t *json, *tree, *nodes, *statement;

	(void)state;
	made_tree(&t);
	json = parse(&t, JSON);
	assert_int_equal(number_at(json, "hence"), EXPLANATION_VERSION);
	assert_string_equal(text_at(json, "verdict"), "explained");
	assert_string_equal(text_at(json_object_get(json, "failure"), "message"),
	                    "assertion d == 5 fails");
	assert_int_equal(json_array_size(json_object_get(json, "command")), 2);
	assert_null(json_object_get(json, "chosen"));
	tree = json_object_get(json, "tree");
	nodes = json_object_get(tree, "nodes");
	assert_int_equal(json_array_size(nodes), 5);
	check_node(json_array_get(nodes, 3));
	statement = json_array_get(json_object_get(json_array_get(nodes, 0), "cause"), 0);
	assert_string_equal(text_at(statement, "text"), "d = c + 3 = 4");
	assert_int_equal(number_at(statement, "line"), 9);
	assert_string_equal(text_at(json_array_get(nodes, 1), "why"),
	                    "decides whether line 9 is executed");
	assert_int_equal(number_at(json_object_get(tree, "stats"), "inside"), 9);
	assert_true(json_real_value(json_object_get(json_object_get(tree, "stats"), "seconds")) ==
	            0.25);
	json_decref(json);
	cause_tree_deinit(&t);
}

static void test_chosen(void **state)
{
	struct cause_tree t;
	json_t *json, *path;

	(void)state;
	made_tree(&t);
	json = parse(&t, CHOSEN);
	path = json_object_get(json, "path");
	assert_int_equal(number_at(json, "chosen"), 4);
	assert_int_equal(json_array_size(path), 3);
	assert_int_equal(json_integer_value(json_array_get(path, 0)), 1);
	assert_int_equal(json_integer_value(json_array_get(path, 1)), 2);
	assert_int_equal(json_integer_value(json_array_get(path, 2)), 4);
	json_decref(json);
	cause_tree_deinit(&t);
}

static void test_verdicts(void **state)
{
	struct cause_tree t;
	json_t *json;

	(void)state;
	made_tree(&t);
	t.stats.proven = 0;
	json = parse(&t, JSON);
	assert_string_equal(text_at(json, "verdict"), "unproven");
	json_decref(json);
	t.complete = false;
	json = parse(&t, JSON);
	assert_string_equal(text_at(json, "verdict"), "incomplete");
	json_decref(json);
	cause_tree_deinit(&t);
}

static void test_gcc(void **state)
{
	struct cause_tree t;

	(void)state;
	made_tree(&t);
	assert_prints(
		&t, GCC,
		"a.c:20:2: note: cause 1, level 0: d == 5 is false: 4 == 5; assertion d == 5 "
		"fails\n"
		"a.c:8: note: cause 2, level 1: a <= 0 is false: 2 <= 0; decides whether line "
		"9 is executed\n"
		"a.c:6: note: cause 3, level 1: b < 0 is false; could have changed what b.c:9 "
		"reads, had it gone another way\n"
		"a.c:4: note: cause 4, level 2, proven: chose the place in memory that cause "
		"2 uses\n"
		"a.c:5: note: cause 5, level 2: p == &x is false; could have written what "
		"cause 3 reads, but wrote elsewhere\n");
	cause_tree_deinit(&t);
}

static void test_dot(void **state)
{
	struct cause_tree t;
	char *text;

	(void)state;
	made_tree(&t);
	text = print(&t, DOT);
	assert_non_null(strstr(text,
	                       "\tn1 [label=\"1. a.c:20:2\\ld == 5 is false: 4 == 5\\l9: d = c "
	                       "+ 3 = 4\\l20: assert(d == 5)\\l\", color=red];\n"));
	assert_non_null(strstr(text, "\tn4 [label=\"4. a.c:4\\l\", color=green, penwidth=2];\n"));
	assert_non_null(strstr(text, "\tn1 -> n2 [style=solid, label=\"direct\"];\n"));
	assert_non_null(strstr(text, "\tn1 -> n3 [style=dashed, label=\"indirect\"];\n"));
	assert_non_null(strstr(text, "\tn2 -> n4 [style=dotted, label=\"address\"];\n"));
	assert_non_null(strstr(text, "\tn3 -> n4 [constraint=false, color=gray];\n"));
	free(text);
	cause_tree_deinit(&t);
}

/* --- what the program has put into texts --- */

static void replace(char **text)
{
	free(*text);
	*text = mem_strdup(HOSTILE);
}

static void make_hostile(struct cause_tree *t)
{
	replace(&t->program);
	replace(&t->what);
	replace(&t->command.at[1]);
	*vec_push(&t->notes) = mem_strdup(HOSTILE);
	for (uint32_t i = 0; i < t->nodes.size; i++) {
		struct cause_node *node = &t->nodes.at[i];

		replace(&node->at.file);
		replace(&node->at.function);
		replace(&node->at.source);
		replace(&node->wanted);
		replace(&node->numbers);
		if (node->via.file)
			replace(&node->via.file);
		for (uint32_t j = 0; j < node->statements.size; j++) {
			replace(&node->statements.at[j].text);
			replace(&node->statements.at[j].at.file);
		}
		for (uint32_t j = 0; j < node->proofs.size; j++) {
			replace(&node->proofs.at[j].changed);
			replace(&node->proofs.at[j].to);
		}
	}
}

static void assert_harmless(const char *text)
{
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' && *at != '\n' && *at != '\t')
			fail_msg("byte %d is printed", *at);
	assert_null(strchr(text, '\xff'));
	assert_null(strstr(text, "\xe2\x80\xae"));
}

static void test_hostile(void **state)
{
	static const enum form forms[] = {TEXT, FULL, FOLDED, PATH, NODE, GCC};
	struct cause_tree t;
	json_t *json;
	char *text;

	(void)state;
	made_tree(&t);
	make_hostile(&t);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		text = print(&t, forms[i]);
		assert_harmless(text);
		assert_non_null(strstr(text, "\\x1b[31m\"\\\\n\\xff"));
		free(text);
	}
	json = parse(&t, JSON);
	assert_string_equal(text_at(json, "program"),
	                    "\x1b[31m\"\\\n\xef\xbf\xbd\xe2\x80\xae]</a>");
	json_decref(json);
	cause_tree_deinit(&t);
}

/* Each quote inside a label has a backslash before it, and each line is one of dot's. */
static void test_hostile_dot(void **state)
{
	struct cause_tree t;
	char *text;

	(void)state;
	made_tree(&t);
	make_hostile(&t);
	text = print(&t, DOT);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		unsigned quotes = 0;

		for (char *at = line; *at; at++) {
			if (*at == '\\')
				at++;
			else
				quotes += *at == '"';
		}
		assert_int_equal(quotes % 2, 0);
		assert_true(*line == '\t' || *line == '}' || !strncmp(line, "digraph", 7));
		assert_null(strchr(line, '\x1b'));
		assert_null(strchr(line, '\xff'));
	}
	free(text);
	cause_tree_deinit(&t);
}

/* Nothing is known but that there is a node. */
static void test_bare(void **state)
{
	struct cause_tree t = {.complete = true};
	struct cause_node *node = vec_push(&t.nodes);
	json_t *json;

	(void)state;
	*node = (struct cause_node){.number = 1, .reason = CAUSE_FAILURE, .how = CAUSE_NOT_REFUTED};
	for (enum form form = TEXT; form <= DOT; form++) {
		char *text;

		if (form == PATH || form == NODE || form == CHOSEN)
			continue;
		text = print(&t, form);
		assert_true(*text);
		free(text);
	}
	json = parse(&t, JSON);
	assert_null(json_object_get(json, "program"));
	json_decref(json);
	cause_tree_deinit(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_many_children),
		cmocka_unit_test(test_evasion),
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_folded),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_many_statements),
		cmocka_unit_test(test_repeated_statements),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_chosen),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_gcc),
		cmocka_unit_test(test_dot),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_hostile_dot),
		cmocka_unit_test(test_bare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
