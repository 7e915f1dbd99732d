/* Saved reports: what is read is what was printed, and what is damaged is refused by a line that names the key. */
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

#include "cause_tree_made.h"
#include "report/json.h"
#include "report/saved.h"

/* --- an explanation that has something everywhere --- */

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

static struct explanation_value value(const char *name, const char *failing, const char *reference,
                                      const char *function)
{
	return (struct explanation_value){copy(name), copy(failing), copy(reference),
	                                  copy(function)};
}

static void make_memory(struct explanation_memory *memory)
{
	struct explanation_box *box = vec_push(&memory->boxes);

	memory->more = 4;
	*box = (struct explanation_box){.name = copy("list"), .where = copy("main()"), .more = 2};
	*vec_push(&box->cells) = (struct explanation_cell){.target = 2, .decides = true};
	box = vec_push(&memory->boxes);
	*box = (struct explanation_box){.name = copy("*list"), .type = copy("struct item")};
	*vec_push(&box->cells) = (struct explanation_cell){
		.name = copy("next"), .value = copy("NULL"), .reference = copy("&x")};
}

static void make_step(struct explanation *e)
{
	struct explanation_step *step = vec_push(&e->steps);

	*step = (struct explanation_step){
		.at = made_place("a.c", 3, "\tf(a);"),
		.instance = 2,
		.reference_instance = 3,
		.kind = "value",
		.when = copy("f() is called"),
		.call = true,
		.transition = true,
		.cause = made_place("a.c", 2, "\ta = 1;"),
		.statement = copy("a = 1"),
		.until = made_place("a.c", 4, NULL),
		.until_statement = copy("a = 2"),
		.method = "compare",
		.also = "chain",
		.time = 17,
		.reference_time = 18,
		.usual = true,
		.proven = true,
		.apart = true,
	};
	*vec_push(&step->values) =
		value("a", "\x1b[2J\"\\\xff\xef\xbf\xbd\xe2\x82\xac", "2", "main");
	*vec_push(&step->values) = value("b", NULL, "3", NULL);
	*vec_push(&step->proofs) = (struct explanation_proof){.experiment = 12,
	                                                      .changed = copy("a"),
	                                                      .from = copy("1"),
	                                                      .to = copy("2"),
	                                                      .in = "failing",
	                                                      .outcome = "pass",
	                                                      .local = true,
	                                                      .guarded = true,
	                                                      .at = made_place("a.c", 3, NULL),
	                                                      .instance = 2};
	make_memory(&step->memory);
}

static void make_lists(struct explanation *e)
{
	struct explanation_suspect *suspect = vec_push(&e->suspects);
	struct explanation_point *point = vec_push(&e->points);
	struct explanation_source *source = vec_push(&e->sources);
	struct explanation_part *part = vec_push(&e->parts);

	suspect->at = made_place("a.c", 2, "\ta = 1;");
	suspect->score = 0.9;
	suspect->why = copy("makes the cause");
	*vec_push(&suspect->evidence) = (struct explanation_evidence){"transition", 0.5};
	*vec_push(&suspect->evidence) = (struct explanation_evidence){"usual", -0.25};
	point->at = made_place("a.c", 1, "{");
	point->failing_time = 1;
	point->reference_time = 2;
	point->transition = true;
	*vec_push(&point->values) = value("a", "1", "2", "main");
	source->file = copy("a.c");
	source->first = 8;
	*vec_push(&source->lines) = copy("eight");
	*vec_push(&source->lines) = copy("nine");
	part->key = "reduced_input";
	str_add(&part->json, "{\"size\": 3.50, \"text\":\"]}\\\\\\\"{[\\u000a\",\"list\":[1,[]]}");
	part = vec_push(&e->parts);
	part->key = "later";
	str_add(&part->json, "0.10");
}

/* Proofs of one kind are enough, since each member is tried. */
static void shorten(struct cause_node *node)
{
	while (node->proofs.size > 1) {
		struct cause_proof *proof = &node->proofs.at[--node->proofs.size];

		explanation_place_deinit(&proof->at);
		free(proof->changed);
		free(proof->from);
		free(proof->to);
	}
}

static void make(struct explanation *e)
{
	struct explanation_step *last;

	*e = (struct explanation){.verdict = "explained", .program = copy("./a")};
	*vec_push(&e->command) = copy("./a");
	e->failure.kind = "crash";
	e->failure.at = made_place("a.c", 9, "\t*p = 1;");
	e->failure.message = copy("dies of SIGSEGV");
	e->reference.kind = "input";
	e->reference.text = copy("./a 1 (given)");
	*vec_push(&e->reference.command) = copy("./a");
	e->reference.stdin_file = copy("in");
	make_step(e);
	last = vec_push(&e->steps);
	*last = (struct explanation_step){.kind = "crash",
	                                  .what = copy("the program dies of SIGSEGV"),
	                                  .at = made_place("a.c", 9, NULL),
	                                  .observed = true};
	make_lists(e);
	e->tree = mem_alloc(sizeof(*e->tree));
	made_tree(e->tree);
	shorten(&e->tree->nodes.at[3]);
	e->tree->nodes.at[3].proofs.at[0].time = 44;
	e->tree->nodes.at[3].proofs.at[0].point = made_place("a.c", 5, NULL);
	e->tree->nodes.at[3].proofs.at[0].point_instance = 6;
	*vec_push(&e->tree->notes) = copy("a note");
	*vec_push(&e->notes) = copy("one note");
	e->hint = copy("What may help: luck.");
	e->stats.experiments = 31;
	e->stats.confounded = 3;
	e->stats.runs = 4;
	e->stats.statements_failing = 38;
	e->stats.statements_reference = 54;
	e->stats.seconds = 0.2149;
}

/* --- there and back --- */

/* Caller frees with free(). */
static char *print(const struct explanation *e, unsigned format)
{
	const struct explanation_style style = {.width = 80};
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	explanation_formats[format].print(e, &style, file);
	fclose(file);
	return text;
}

static char *print_json(const struct explanation *e)
{
	return print(e, 1);
}

/* Reads a text as explanation_read() reads a file. */
static struct hence_error *read_text(const char *text, size_t length, struct explanation *out)
{
	struct saved saved;
	struct hence_error *error = saved_parse("r.json", text, length, &saved);

	if (error)
		return error;
	error = saved_check_kind(&saved);
	if (!error)
		error = explanation_read_saved(&saved, out);
	saved_deinit(&saved);
	return error;
}

/* The report as it is saved. Caller frees with free(). */
static char *make_report(void)
{
	struct explanation e;
	char *text;

	make(&e);
	explanation_settle(&e);
	text = print_json(&e);
	explanation_deinit(&e);
	return text;
}

static void test_formats(void **state)
{
	struct explanation e, again;
	char *text;

	make(&e);
	explanation_settle(&e);
	assert_string_equal(e.steps.at[0].values.at[0].failing,
	                    "\x1b[2J\"\\\xef\xbf\xbd\xef\xbf\xbd\xe2\x82\xac");
	text = print_json(&e);
	assert_null(read_text(text, strlen(text), &again));
	free(text);
	for (unsigned i = 0; i < explanation_format_count; i++) {
		char *first = print(&e, i), *second = print(&again, i);

		assert_string_equal(first, second);
		free(first);
		free(second);
	}
	explanation_deinit(&e);
	explanation_deinit(&again);
}

/* Printing could leave out what reading leaves out, so each is looked at. */
static void test_members(void **state)
{
	char *text = make_report();
	struct explanation e;
	const struct explanation_step *step;
	const struct explanation_box *box;
	const struct cause_proof *proof;

	assert_null(read_text(text, strlen(text), &e));
	free(text);
	step = &e.steps.at[0];
	assert_true(step->call && step->transition && step->usual && step->apart && step->proven);
	assert_false(step->observed);
	assert_int_equal(step->time, 17);
	assert_int_equal(step->reference_time, 18);
	assert_int_equal(step->values.size, 2);
	assert_string_equal(step->values.at[0].function, "main");
	assert_null(step->values.at[1].failing);
	assert_string_equal(step->also, "chain");
	assert_string_equal(step->until_statement, "a = 2");
	assert_true(step->proofs.at[0].local && step->proofs.at[0].guarded);
	assert_int_equal(step->memory.more, 4);
	box = &step->memory.boxes.at[0];
	assert_int_equal(box->more, 2);
	assert_string_equal(box->where, "main()");
	assert_int_equal(box->cells.at[0].target, 2);
	assert_true(box->cells.at[0].decides);
	assert_string_equal(step->memory.boxes.at[1].type, "struct item");
	assert_string_equal(step->memory.boxes.at[1].cells.at[0].reference, "&x");
	assert_string_equal(e.steps.at[1].what, "the program dies of SIGSEGV");
	assert_true(e.steps.at[1].observed);
	assert_string_equal(e.suspects.at[0].evidence.at[1].kind, "usual");
	assert_float_equal(e.suspects.at[0].evidence.at[1].weight, -0.25, 1e-9);
	assert_string_equal(e.points.at[0].values.at[0].name, "a");
	assert_int_equal(e.sources.at[0].first, 8);
	assert_string_equal(e.sources.at[0].lines.at[1], "nine");
	assert_string_equal(e.failure.at.source, "\t*p = 1;");
	assert_string_equal(e.parts.at[0].key, "reduced_input");
	assert_string_equal(str_text(&e.parts.at[1].json), "0.10");
	assert_string_equal(e.tree->what, "assertion d == 5 fails");
	assert_string_equal(e.tree->failure, "assert");
	/* The line is among the sources. */
	assert_string_equal(e.tree->nodes.at[0].statements.at[0].at.source, "nine");
	proof = &e.tree->nodes.at[3].proofs.at[0];
	assert_int_equal(proof->time, 44);
	assert_int_equal(proof->point.line, 5);
	assert_int_equal(proof->point_instance, 6);
	assert_null(proof->point.source);
	explanation_deinit(&e);
}

/* A report that a tool has put into another form is still the same. */
static void test_reformatted(void **state)
{
	char *text = make_report(), *pretty, *again;
	json_t *root = json_loads(text, 0, NULL);
	struct explanation e;

	pretty = json_dumps(root, JSON_INDENT(4) | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
	assert_null(read_text(pretty, strlen(pretty), &e));
	assert_int_equal(e.parts.size, 2);
	again = print_json(&e);
	explanation_deinit(&e);
	assert_null(read_text(again, strlen(again), &e));
	assert_string_equal(e.steps.at[0].values.at[0].name, "a");
	explanation_deinit(&e);
	free(again);
	free(pretty);
	json_decref(root);
	free(text);
}

static void test_tree_alone(void **state)
{
	struct cause_tree tree, again;
	struct explanation kept = {0};
	struct saved saved;
	char *texts[2];
	size_t size;
	uint32_t chosen = 0;
	FILE *file = open_memstream(&texts[0], &size);

	made_tree(&tree);
	cause_tree_print_json(&tree, 4, file);
	fclose(file);
	assert_null(saved_parse("t.json", texts[0], size, &saved));
	assert_null(saved_check_kind(&saved));
	assert_true(saved_is_tree(&saved));
	assert_null(cause_tree_read_saved(&saved, &kept, &again, &chosen));
	assert_int_equal(chosen, 4);
	file = open_memstream(&texts[1], &size);
	cause_tree_print_json(&again, chosen, file);
	fclose(file);
	assert_string_equal(texts[0], texts[1]);
	saved_deinit(&saved);
	cause_tree_deinit(&tree);
	cause_tree_deinit(&again);
	explanation_deinit(&kept);
	free(texts[0]);
	free(texts[1]);
}

/* --- damage --- */

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

/* Is it a copy of what is told elsewhere, or a piece of which only the bytes count? */
static bool is_not_read(const char *path)
{
	static const char *const endings[] = {".text", ".why", "stats.nodes"};
	size_t length = strlen(path);

	if (!strncmp(path, "reduced_input", strlen("reduced_input")) || !strcmp(path, "later"))
		return true;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (length > strlen(endings[i]) &&
		    !strcmp(path + length - strlen(endings[i]), endings[i]) &&
		    (i != 0 || !strncmp(path, "steps", 5)) && (i != 1 || !strncmp(path, "tree", 4)))
			return true;
	return false;
}

struct damage {
	json_t *root;
	unsigned refused;
};

/* With the report as it is now: does it crash, and does it name the key? */
static void try(struct damage *d, const char *path, bool must_fail)
{
	char *text = json_dumps(d->root, JSON_COMPACT);
	struct explanation e;
	struct hence_error *error = read_text(text, strlen(text), &e);

	if (error) {
		d->refused++;
		if (!strstr(error->message, path) || strchr(error->message, '\n'))
			fail_msg("%s: %s", path, error->message);
	} else {
		if (must_fail)
			fail_msg("%s is read", path);
		for (unsigned i = 0; i < explanation_format_count; i++)
			free(print(&e, i));
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
		try(d, path, !is_not_read(path));
	}
	if (key) {
		json_object_del(parent, key);
		try(d, path, false);
		json_object_set(parent, key, old);
	} else {
		json_array_set(parent, index, old);
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

static void test_types(void **state)
{
	char *text = make_report();
	struct damage d = {.root = json_loads(text, 0, NULL)};

	replace_all(&d, d.root, "");
	assert_true(d.refused > 1000);
	json_decref(d.root);
	free(text);
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
	refuse("reference.kind", json_string("other"), "reference.kind is none");
}

static void test_tree(void **state)
{
	refuse("tree.nodes[1].parent", json_integer(2),
	       "tree.nodes[1].parent is 2, which is no node before it");
	refuse("tree.nodes[1].parent", json_integer(0), "which is no node before it");
	refuse("tree.nodes[1].parent", json_integer(99), "which is no node before it");
	refuse("tree.nodes[0].parent", json_integer(1), "but it is the root");
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
	refuse_text("{\"hence\":1,\"marks\":[],\"steps\":[]}", "of 'hence tree --session'");
	refuse_text("{\"dual_slice\":[]}", "is a report of 'hence compare --dual-slice'");
	refuse_text("{\"hence\":1,\"verdict\":\"explained\",\"steps\":[]}", "command is missing");
	refuse_text("{\"hence\":1,\"x\":\"\\u0000\"}", "it is no JSON");
	memset(deep, '[', 100000);
	refuse_text(deep, "it is no JSON");
	free(deep);
}

/* --- files --- */

static void test_files(void **state)
{
	char path[] = "/tmp/report_read.XXXXXX", *text = make_report(), *again;
	int fd = mkstemp(path);
	struct explanation e;
	struct hence_error *error;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_null(explanation_read(path, &e));
	again = print_json(&e);
	assert_string_equal(text, again);
	explanation_deinit(&e);
	unlink(path);
	error = explanation_read(path, &e);
	assert_non_null(strstr(error->message, "No such file or directory"));
	error_destroy(error);
	error = explanation_read("/", &e);
	assert_non_null(strstr(error->message, "cannot read /"));
	error_destroy(error);
	free(text);
	free(again);
}

/* Numbers are rounded as JSON has them, so that texts agree with those of a report that was read. */
static void test_round(void **state)
{
	struct str out = STR_INIT;

	assert_true(json_round(0.38473, 3) == 0.385);
	assert_true(json_round(0.9 * 0.95, 2) == 0.86);
	assert_true(json_round(-0.25, 3) == -0.25);
	assert_true(json_round(-0.0001, 3) == 0);
	json_add_fraction(&out, "a", -0.25, 3);
	json_add_fraction(&out, "b", -0.0001, 3);
	assert_string_equal(str_text(&out), "\"a\":-0.250,\"b\":0.000");
	str_deinit(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),     cmocka_unit_test(test_members),
		cmocka_unit_test(test_reformatted), cmocka_unit_test(test_tree_alone),
		cmocka_unit_test(test_truncated),   cmocka_unit_test(test_types),
		cmocka_unit_test(test_values),      cmocka_unit_test(test_tree),
		cmocka_unit_test(test_others),      cmocka_unit_test(test_files),
		cmocka_unit_test(test_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
