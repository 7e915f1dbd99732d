/* The walk through a cause tree: what answers do, and sessions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cause_tree_made.h"
#include "cli/tree_walk.h"

struct sample {
	struct cause_tree tree;
	struct tree_walk walk;
};

static int begin(void **state)
{
	struct sample *s = mem_alloc(sizeof(*s));

	made_tree(&s->tree);
	tree_walk_init(&s->walk);
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct sample *s = *state;

	cause_tree_deinit(&s->tree);
	tree_walk_deinit(&s->walk);
	free(s);
	return 0;
}

static struct tree_walk_reply take(struct sample *s, const char *line)
{
	return tree_walk_take(&s->walk, &s->tree, line);
}

/* The answer leads to a cause. */
static void assert_goes(struct sample *s, const char *line, uint32_t number)
{
	assert_int_equal(take(s, line).action, TREE_WALK_SHOW);
	assert_int_equal(s->walk.at, number);
}

/* It stays, and something is said. */
static void assert_stays(struct sample *s, const char *line, const char *part)
{
	uint32_t before = s->walk.at;
	struct tree_walk_reply reply = take(s, line);

	assert_int_equal(reply.action, TREE_WALK_SAY);
	assert_int_equal(s->walk.at, before);
	if (!strstr(reply.say, part))
		fail_msg("'%s' is not in '%s'", part, reply.say);
}

static void assert_alive(struct sample *s, const char *expected)
{
	bool *alive = tree_walk_alive(&s->walk, &s->tree);

	for (uint32_t i = 0; i < s->tree.nodes.size; i++)
		assert_int_equal(alive[i], expected[i] == '1');
	free(alive);
}

/* --- answers --- */

/* 4 is below 2, but 3 refers to it: it stays until 3 is not it, either. */
static void test_prune(void **state)
{
	struct sample *s = *state;

	assert_alive(s, "11111");
	assert_goes(s, "s", 2);
	assert_goes(s, "n", 3);
	assert_alive(s, "10111");
	assert_stays(s, "n", "no unmarked cause is left");
	assert_alive(s, "10000");
	assert_goes(s, "b", 3);
	assert_alive(s, "10111");
	assert_int_equal(tree_walk_mark(&s->walk, 2), TREE_MARK_NOT);
	assert_int_equal(tree_walk_mark(&s->walk, 3), TREE_MARK_NONE);
}

static void test_next(void **state)
{
	struct sample *s = *state;

	/* Down on the first way, then to the next one, which refers to what was answered already. */
	assert_goes(s, "s", 2);
	assert_goes(s, "s", 4);
	assert_goes(s, "n", 3);
	assert_goes(s, "s", 5);
	assert_int_equal(tree_walk_mark(&s->walk, 3), TREE_MARK_SUSPICIOUS);
	assert_stays(s, "n", "no unmarked cause is left");
}

static void test_reference(void **state)
{
	struct sample *s = *state;

	/* A reference leads to where the other cause is. */
	assert_goes(s, "g 5", 5);
	assert_goes(s, "n", 4);
}

static void test_leaf(void **state)
{
	struct sample *s = *state;

	assert_goes(s, "g 4", 4);
	assert_stays(s, "s", "nothing is known that leads to it");
	assert_int_equal(tree_walk_mark(&s->walk, 4), TREE_MARK_SUSPICIOUS);
	/* Nothing is open below 2 and beside it: 2 itself comes. */
	assert_goes(s, "n", 2);
	/* Its only child has an answer. */
	assert_goes(s, "s", 3);
}

static void test_root(void **state)
{
	struct sample *s = *state;

	assert_stays(s, "n", "the failure itself");
	assert_alive(s, "11111");
	assert_stays(s, "b", "where it began");
}

static void test_expand(void **state)
{
	struct sample *s = *state;
	struct cause_node *node;

	assert_goes(s, "g 5", 5);
	assert_int_equal(take(s, "s").action, TREE_WALK_EXPAND);
	assert_int_equal(s->walk.expanded.size, 1);
	assert_int_equal(s->walk.expanded.at[0], 5);
	node = made_node(&s->tree, 5, CAUSE_DIRECT, 3, "x", NULL);
	s->tree.nodes.at[4].expanded = true;
	assert_int_equal(node->number, 6);
	assert_int_equal(tree_walk_enter(&s->walk, &s->tree).action, TREE_WALK_SHOW);
	assert_int_equal(s->walk.at, 6);
	assert_goes(s, "b", 5);
	assert_int_equal(tree_walk_mark(&s->walk, 5), TREE_MARK_NONE);
	assert_goes(s, "s", 6);
	assert_int_equal(s->walk.expanded.size, 1);
}

static void test_words(void **state)
{
	struct sample *s = *state;
	struct tree_walk_reply reply;

	assert_int_equal(take(s, "list").action, TREE_WALK_LIST);
	assert_int_equal(take(s, "?").action, TREE_WALK_HELP);
	assert_int_equal(take(s, "help").action, TREE_WALK_HELP);
	assert_int_equal(take(s, "q").action, TREE_WALK_QUIT);
	reply = take(s, "  w  some file");
	assert_int_equal(reply.action, TREE_WALK_SAVE);
	assert_string_equal(reply.argument, "some file");
	assert_stays(s, "w", "name of a file");
	assert_goes(s, "go 3", 3);
	assert_int_equal(take(s, "yes").action, TREE_WALK_REPORT);
	assert_int_equal(tree_walk_mark(&s->walk, 3), TREE_MARK_IT);
}

static void test_unknown(void **state)
{
	static const char *const lines[] = {"", " ", "x", "nn", "nope", "sus", "\x1b[A", "listen"};
	static const char *const numbers[] = {
		"g", "g 0", "g 6", "g -1", "g 3x", "g 1 2", "g 99999999999999999999"};
	struct sample *s = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_stays(s, lines[i], "answer n (not it)");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		assert_stays(s, numbers[i], "number of a cause");
	assert_int_equal(s->walk.steps.size, 0);
}

/* --- sessions --- */

#define LEVELS 4

static void write_session(struct sample *s, const char *path)
{
	struct hence_error *error = tree_session_write(path, &s->walk, &s->tree, LEVELS);

	assert_null(error);
}

static void assert_refused(struct hence_error *error, const char *part)
{
	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	if (!strstr(error->message, part))
		fail_msg("'%s' is not in '%s'", part, error->message);
	error_destroy(error);
}

static void test_session(void **state)
{
	struct sample *s = *state;
	struct tree_session session;
	char path[] = "/tmp/hence-session-XXXXXX";
	bool exists = false;

	close(mkstemp(path));
	assert_goes(s, "s", 2);
	assert_goes(s, "n", 3);
	assert_goes(s, "s", 5);
	assert_int_equal(take(s, "s").action, TREE_WALK_EXPAND);
	write_session(s, path);
	assert_null(tree_session_read(path, &session, &exists));
	assert_true(exists);
	assert_int_equal(session.walk.at, 5);
	assert_int_equal(session.levels, LEVELS);
	assert_int_equal(session.walk.steps.size, 4);
	assert_int_equal(session.walk.expanded.size, 1);
	for (uint32_t i = 1; i <= 5; i++)
		assert_int_equal(tree_walk_mark(&session.walk, i), tree_walk_mark(&s->walk, i));
	assert_null(tree_session_check(path, &session, &s->tree, LEVELS, true));
	assert_refused(tree_session_check(path, &session, &s->tree, 3, false), "--levels 4");
	s->tree.nodes.at[2].at.line++;
	assert_null(tree_session_check(path, &session, &s->tree, LEVELS, false));
	assert_refused(tree_session_check(path, &session, &s->tree, LEVELS, true), "cause 3");
	s->tree.what[0] = 'A';
	assert_refused(tree_session_check(path, &session, &s->tree, LEVELS, false),
	               "another failure");
	s->tree.command.at[1][0] = '7';
	assert_refused(tree_session_check(path, &session, &s->tree, LEVELS, false),
	               "another command");
	tree_session_deinit(&session);
	unlink(path);
	assert_null(tree_session_read(path, &session, &exists));
	assert_false(exists);
}

static void test_damaged_session(void **state)
{
	static const struct {
		const char *text, *part;
	} files[] = {
		{"", "no session"},
		{"{\"hence\":1", "no session"},
		{"[]", "something else"},
		{"{\"hence\":1,\"kind\":\"tree-session\"}", "damaged"},
		{"{\"hence\":99,\"kind\":\"tree-session\"}", "another version"},
		{"{\"hence\":1,\"kind\":\"tree-session\",\"program\":\"\",\"command\":[],\"what\":"
	         "\"\","
	         "\"levels\":4,\"at\":1,\"expanded\":[],\"marks\":[{\"number\":-3,\"mark\":\"not\"}"
	         "],"
	         "\"steps\":[]}",
	         "damaged"},
		{"{\"hence\":1,\"kind\":\"tree-session\",\"program\":\"\",\"command\":[],\"what\":"
	         "\"\","
	         "\"levels\":4,\"at\":1,\"expanded\":[],\"marks\":[{\"number\":3,\"mark\":\"x\"}],"
	         "\"steps\":[]}",
	         "damaged"},
		{"{\"hence\":1,\"kind\":\"tree-session\",\"program\":\"\",\"command\":[],\"what\":"
	         "\"\","
	         "\"levels\":4,\"at\":4000000000,\"expanded\":[],\"marks\":[],\"steps\":[]}",
	         "damaged"},
	};
	char path[] = "/tmp/hence-session-XXXXXX";

	(void)state;
	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct tree_session session;
		bool exists;
		FILE *file = fopen(path, "w");

		fputs(files[i].text, file);
		fclose(file);
		assert_refused(tree_session_read(path, &session, &exists), files[i].part);
		assert_false(exists);
	}
	unlink(path);
}

static void test_unwritable_session(void **state)
{
	struct sample *s = *state;

	assert_refused(tree_session_write("/nowhere/file", &s->walk, &s->tree, LEVELS),
	               "cannot save the session to /nowhere/file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_prune, begin, end),
		cmocka_unit_test_setup_teardown(test_next, begin, end),
		cmocka_unit_test_setup_teardown(test_reference, begin, end),
		cmocka_unit_test_setup_teardown(test_leaf, begin, end),
		cmocka_unit_test_setup_teardown(test_root, begin, end),
		cmocka_unit_test_setup_teardown(test_expand, begin, end),
		cmocka_unit_test_setup_teardown(test_words, begin, end),
		cmocka_unit_test_setup_teardown(test_unknown, begin, end),
		cmocka_unit_test_setup_teardown(test_session, begin, end),
		cmocka_unit_test_setup_teardown(test_damaged_session, begin, end),
		cmocka_unit_test_setup_teardown(test_unwritable_session, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
