/* Damaged reports are refused by a line that names the key, or nothing has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "report_made.h"

/* --- each value, each byte --- */

/* Cut off anywhere it is refused, but for the end of the line. */
static void test_truncated(void **state)
{
	char *text = make_report();
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++) {
		struct explanation e;
		struct hence_error *error = read_text(text, i, &e);

		if (i + 1 < length) {
			assert_non_null(error);
			assert_non_null(strstr(error->message, "r.json is no report of hence: "));
			assert_null(strchr(error->message, '\n'));
		} else {
			assert_null(error);
			explanation_deinit(&e);
		}
		error_destroy(error);
	}
	free(text);
}

/* What is put in the place of others. */
static json_t *replacement(unsigned number)
{
	switch (number) {
	case 0: return json_null();
	case 1: return json_true();
	case 2: return json_integer(7);
	case 3: return json_real(1.5);
	case 4: return json_string("x");
	case 5: return json_array();
	case 6: return json_object();
	}
	return NULL;
}

static bool is_same_type(const json_t *a, const json_t *b)
{
	return json_typeof(a) == json_typeof(b) || (json_is_boolean(a) && json_is_boolean(b)) ||
	       (json_is_real(a) && json_is_integer(b));
}

/* What a value of another type leads to. */
enum effect {
	REFUSED,
	SAME, /* it is a copy of what is told elsewhere, and is not read */
	ANY,  /* it is of a piece of which only the bytes count */
};

static enum effect effect_of(const char *path)
{
	static const char *const endings[] = {".text", ".why", "stats.nodes"};
	size_t length = strlen(path);

	if (!strncmp(path, "reduced_input", strlen("reduced_input")) || !strcmp(path, "later"))
		return ANY;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (length > strlen(endings[i]) &&
		    !strcmp(path + length - strlen(endings[i]), endings[i]) &&
		    (i != 0 || !strncmp(path, "steps", 5)) && (i != 1 || !strncmp(path, "tree", 4)))
			return SAME;
	return REFUSED;
}

struct damage {
	json_t *root;
	const char *whole; /* the report as it was */
	unsigned refused;
};

static void check_read(const struct damage *d, const char *path, enum effect effect,
                       const struct explanation *e)
{
	if (effect == REFUSED)
		fail_msg("%s is read", path);
	for (unsigned i = 0; i < explanation_format_count; i++) {
		char *text = print(e, i);

		if (effect == SAME && i == 1)
			assert_string_equal(text, d->whole);
		free(text);
	}
}

/* With the report as it is now: does it crash, and does it name the key? */
static void try(struct damage *d, const char *path, enum effect effect)
{
	char *text = json_dumps(d->root, JSON_COMPACT);
	struct explanation e;
	struct hence_error *error = read_text(text, strlen(text), &e);

	if (error) {
		d->refused++;
		if (!strstr(error->message, path) || strchr(error->message, '\n'))
			fail_msg("%s: %s", path, error->message);
	} else {
		check_read(d, path, effect, &e);
		explanation_deinit(&e);
	}
	error_destroy(error);
	free(text);
}

static void replace_all(struct damage *d, json_t *at, const char *path);

/* The member of an object, or the item of a list. */
static void replace_one(struct damage *d, json_t *parent, const char *key, size_t index,
                        const char *path)
{
	json_t *old =
		json_incref(key ? json_object_get(parent, key) : json_array_get(parent, index));
	json_t *new;

	for (unsigned i = 0; (new = replacement(i)) != NULL; i++) {
		if (is_same_type(old, new)) {
			json_decref(new);
			continue;
		}
		if (key)
			json_object_set_new(parent, key, new);
		else
			json_array_set_new(parent, index, new);
		try(d, path, effect_of(path));
	}
	if (!key) {
		json_array_set(parent, index, old);
	} else {
		if (effect_of(path) != ANY) /* it would come back in another place */
			json_object_del(parent, key);
		try(d, path, ANY);
		json_object_set(parent, key, old);
	}
	replace_all(d, old, path);
	json_decref(old);
}

static void replace_all(struct damage *d, json_t *at, const char *path)
{
	if (json_is_object(at)) {
		json_t *copy_of = json_copy(at), *unused;
		const char *key;

		json_object_foreach(copy_of, key, unused)
		{
			char *inner = str_format("%s%s%s", path, *path ? "." : "", key);

			replace_one(d, at, key, 0, inner);
			free(inner);
		}
		json_decref(copy_of);
	}
	for (size_t i = 0; i < json_array_size(at); i++) {
		char *inner = str_format("%s[%zu]", path, i);

		replace_one(d, at, NULL, i, inner);
		free(inner);
	}
}

/* As it is printed after it was read, in the form in which jansson writes it. Caller frees with free(). */
static char *read_and_print(const json_t *root)
{
	char *text = json_dumps(root, JSON_COMPACT), *printed;
	struct explanation e;

	assert_null(read_text(text, strlen(text), &e));
	printed = print_json(&e);
	explanation_deinit(&e);
	free(text);
	return printed;
}

static void test_types(void **state)
{
	char *text = make_report(), *whole;
	struct damage d = {.root = json_loads(text, 0, NULL)};

	d.whole = whole = read_and_print(d.root);
	replace_all(&d, d.root, "");
	assert_true(d.refused > 1000);
	json_decref(d.root);
	free(text);
	free(whole);
}

/* --- damage of which only the meaning is wrong --- */

/* Finds `steps[0].line` and the like; gives its parent. */
static json_t *find(json_t *root, const char *path, char *key, size_t *index)
{
	json_t *at = root, *parent = NULL;

	while (*path) {
		size_t length = strcspn(path, ".[");

		parent = at;
		*key = '\0';
		if (*path == '[') {
			*index = strtoul(path + 1, (char **)&path, 10);
			at = json_array_get(at, *index);
			path++;
		} else {
			memcpy(key, path, length);
			key[length] = '\0';
			at = json_object_get(at, key);
			path += length;
		}
		path += *path == '.';
	}
	return parent;
}

/* With this value there, the report is refused by a line that has `message`. */
static void refuse(const char *path, json_t *new, const char *message)
{
	char *text = make_report(), *damaged, key[64];
	json_t *root = json_loads(text, 0, NULL), *parent;
	struct explanation e;
	struct hence_error *error;
	size_t index = 0;

	parent = find(root, path, key, &index);
	assert_non_null(parent);
	if (*key)
		json_object_set_new(parent, key, new);
	else
		json_array_set_new(parent, index, new);
	damaged = json_dumps(root, 0);
	error = read_text(damaged, strlen(damaged), &e);
	if (!error || !strstr(error->message, message))
		fail_msg("%s: %s", path, error ? error->message : "it is read");
	error_destroy(error);
	free(damaged);
	json_decref(root);
	free(text);
}

static void test_values(void **state)
{
	refuse("verdict", json_string("fine"), "verdict is none of these words: explained, ");
	refuse("steps[0].line", json_integer(-3), "steps[0].line is -3, which is below 0");
	refuse("steps[0].line", json_integer(INT64_MAX), "which is too large");
	refuse("steps[0].proof[0].in", json_string("both"), "none of these words: failing, ");
	refuse("steps[0].memory.boxes[0].cells[0].points_to", json_integer(3),
	       "steps[0].memory.boxes[0].cells[0].points_to is 3, but there are 2 boxes");
	refuse("suspects[0].score", json_real(1e300), "suspects[0].score is 1e+300, not between");
	refuse("stats.seconds", json_real(-1), "stats.seconds is -1, not between");
	refuse("sources[0].first", json_integer(0), "sources[0].first is 0");
	refuse("steps[0].proof[0].judged", json_string("nobody"), "next step");
	refuse("points[0].file_bytes", json_string("b%25%E4.d"),
	       "points[0].file_bytes is no other ");
	refuse("points[0].file_bytes", json_string("b%25%E"), "points[0].file_bytes is no other ");
	refuse("points[0].file_bytes", json_string("b%25%00.c"),
	       "points[0].file_bytes is no other ");
	refuse("points[0].file", json_string("b.c"), "points[0].file_bytes is no other ");
	refuse("reference.kind", json_string("other"), "reference.kind is none");
}

static void test_tree(void **state)
{
	refuse("tree.nodes[1].parent", json_integer(2),
	       "tree.nodes[1].parent is 2, which is no node before it");
	refuse("tree.nodes[1].parent", json_integer(0), "which is no node before it");
	refuse("tree.nodes[1].parent", json_integer(99), "which is no node before it");
	refuse("tree.nodes[0].parent", json_integer(1), "but it is the root");
	refuse("fixes[0].mark", json_integer(100), "fixes[0].mark is outside of \"after\"");
	refuse("fixes[0].tried_on.passing", json_integer(4),
	       "fixes[0].tried_on.passing_of is 3, but 4 of them are counted");
	refuse("fixes[0].patch", json_integer(4), "fixes[0].patch is neither a text nor");
	refuse("tree.nodes[2].number", json_integer(2),
	       "tree.nodes[2].number is 2, but it is node 3");
	refuse("tree.nodes[4].level", json_integer(1), "but its parent has level 1");
	refuse("tree.nodes[4].level", json_integer(5000), "which is too large");
	refuse("tree.nodes[3].parent", json_integer(3),
	       "tree.nodes[1].children[0] is 4, a node with ");
	refuse("tree.nodes[1].children[0]", json_integer(1), "a node with another parent");
	refuse("tree.nodes[1].children[0]", json_integer(77), "is 77, which is no node");
	refuse("tree.nodes[0].children[1]", json_integer(2), "is 2, which is there twice");
	refuse("tree.nodes[2].children", json_array(), "is 5, which is missing");
	refuse("tree.nodes[2].again[0]", json_integer(6),
	       "tree.nodes[2].again[0] is 6, which is no node");
	refuse("tree.nodes[1].reason", json_string("failure"), "which only the root has");
	refuse("tree.nodes[0].reason", json_string("direct"), "which the root has not");
	refuse("tree.nodes", json_array(), "tree.nodes is empty");
}

/* --- what is no report at all --- */

static void refuse_text(const char *text, const char *message)
{
	struct explanation e;
	struct hence_error *error = read_text(text, strlen(text), &e);

	if (!error || !strstr(error->message, message))
		fail_msg("%.60s: %s", text, error ? error->message : "it is read");
	assert_null(strchr(error->message, '\n'));
	error_destroy(error);
}

static void test_others(void **state)
{
	char *deep = mem_alloc(100001);

	refuse_text("", "it is empty");
	refuse_text("int main;", "it is no JSON");
	refuse_text("[]", "it is no object");
	refuse_text("{}", "it has no version");
	refuse_text("{\"hence\":\"1\"}", "is no whole number");
	refuse_text("{\"hence\":2,\"steps\":[]}", "is a report of version 2");
	refuse_text("{\"hence\":99999999999999999999}", "too big integer");
	refuse_text("{\"hence\":1}", "it has no steps and no tree");
	refuse_text("{\"hence\":1,\"hence\":1}", "duplicate object key");
	refuse_text("{\"hence\":1,\"verdicts\":{}}", "is a report of 'hence reduce', and no expl");
	refuse_text("{\"hence\":1,\"slice\":\"forward\"}", "is a report of 'hence slice'");
	refuse_text("{\"hence\":1,\"predicates\":[]}", "is a report of 'hence switch'");
	refuse_text("{\"hence\":1,\"chop\":[]}", "is a report of 'hence chop'");
	refuse_text("{\"hence\":1,\"formula\":\"ochiai\"}", "is a report of 'hence rank'");
	refuse_text("{\"hence\":1,\"marks\":[],\"steps\":[]}", "of 'hence tree --session'");
	refuse_text("{\"dual_slice\":[]}", "is a report of 'hence compare --dual-slice'");
	refuse_text("{\"hence\":1,\"verdict\":\"explained\",\"steps\":[]}", "command is missing");
	refuse_text("{\"hence\":1,\"x\":\"\\u0000\"}", "it is no JSON");
	memset(deep, '[', 100000);
	refuse_text(deep, "it is no JSON");
	free(deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncated), cmocka_unit_test(test_types),
		cmocka_unit_test(test_values),    cmocka_unit_test(test_tree),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
