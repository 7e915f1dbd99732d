/* Saved reports: what is read is what was printed. */
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

#include "report/json.h"
#include "report_made.h"

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
	assert_string_equal(e.suspects.at[0].evidence.at[1].kind_word, "usual");
	assert_float_equal(e.suspects.at[0].evidence.at[1].weight, -0.25, 1e-9);
	assert_int_equal(e.fixes.size, 2);
	assert_true(e.fixes_sought && !e.fixes_only);
	assert_string_equal(e.fixes.at[0].edit, "main:2:constant:+1");
	assert_string_equal(e.fixes.at[0].class, "constant");
	assert_string_equal(e.fixes.at[0].at.source, "\ta = 1;");
	assert_string_equal(e.fixes.at[0].before, "a = 1; /* \xef\xbf\xbd */");
	/* The mark has moved with the text. */
	assert_memory_equal(e.fixes.at[0].after + e.fixes.at[0].mark, "2;", 2);
	assert_int_equal(e.fixes.at[0].mark_length, 1);
	assert_float_equal(e.fixes.at[0].score, 0.512, 1e-9);
	assert_int_equal(e.fixes.at[0].failing, 1);
	assert_int_equal(e.fixes.at[0].failing_of, 1);
	assert_int_equal(e.fixes.at[0].passing, 2);
	assert_int_equal(e.fixes.at[0].passing_of, 3);
	assert_int_equal(e.fixes.at[0].agree, 4);
	assert_int_equal(e.fixes.at[0].changed, 5);
	assert_int_equal(e.fixes.at[0].experiment, 6);
	assert_string_equal(e.fixes.at[0].patch, "--- a.c\n+++ a.c\n@@ -2 +2 @@\n-\ta = 1;\n");
	assert_string_equal(e.fixes.at[1].after, "");
	assert_null(e.fixes.at[1].patch);
	assert_string_equal(e.fixes.at[1].no_patch, "it comes from a macro");
	assert_int_equal(e.stats.decodes, 5);
	assert_int_equal(e.stats.resumed, 6);
	assert_int_equal(e.stats.walks, 7);
	assert_int_equal(e.stats.edits, 40);
	assert_int_equal(e.stats.edits_idle, 20);
	assert_int_equal(e.stats.edits_run, 12);
	assert_int_equal(e.stats.edits_plausible, 3);
	assert_int_equal(e.stats.edit_places, 2);
	assert_string_equal(e.points.at[0].values.at[0].name, "a");
	assert_string_equal(e.points.at[0].at.file, "b%\xe4.c");
	assert_string_equal(e.invocation.at[1], "explain");
	assert_int_equal(e.sources.at[0].first, 8);
	assert_string_equal(e.sources.at[0].lines.at[1], "nine");
	assert_string_equal(e.failure.at.source, "\t*p = 1;");
	assert_string_equal(e.parts.at[0].key, "reduced_input");
	assert_string_equal(str_text(&e.parts.at[1].json), "0.10");
	assert_string_equal(e.tree->what, "assertion d == 5 fails");
	assert_int_equal(e.tree->failure, EXPLANATION_ASSERT);
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

/* A hence that knows more has more kinds. Its words are kept: they are printed again, and shown. */
static void test_other_kinds(void **state)
{
	char *text = make_report(), *changed, *again, *same;
	json_t *root = json_loads(text, 0, NULL), *step, *evidence;
	struct explanation e;

	step = json_array_get(json_object_get(root, "steps"), 0);
	evidence = json_array_get(json_object_get(root, "suspects"), 0);
	evidence = json_array_get(json_object_get(evidence, "evidence"), 0);
	json_object_set_new(step, "kind", json_string("loop"));
	json_object_set_new(json_object_get(root, "failure"), "kind", json_string("deadlock"));
	json_object_set_new(evidence, "kind", json_string("race"));
	json_object_set_new(json_object_get(root, "tree"), "failure", json_string(""));
	changed = json_dumps(root, JSON_COMPACT);
	assert_null(read_text(changed, strlen(changed), &e));
	assert_int_equal(e.steps.at[0].kind, EXPLANATION_NO_KIND);
	assert_string_equal(e.steps.at[0].kind_word, "loop");
	assert_int_equal(e.failure.kind, EXPLANATION_NO_KIND);
	assert_string_equal(e.failure.kind_word, "deadlock");
	assert_string_equal(e.suspects.at[0].evidence.at[0].kind_word, "race");
	assert_string_equal(e.tree->failure_word, "");
	again = print_json(&e);
	assert_non_null(strstr(again, "\"kind\":\"loop\""));
	assert_non_null(strstr(again, "\"failure\":{\"kind\":\"deadlock\""));
	assert_non_null(strstr(again, "{\"kind\":\"race\",\"weight\":"));
	assert_non_null(strstr(again, "\"failure\":\"\""));
	for (unsigned i = 0; i < explanation_format_count; i++) {
		char *printed = print(&e, i);

		if (!strcmp(explanation_formats[i].name, "sarif"))
			assert_non_null(strstr(printed, "\"kinds\":[\"loop\"]"));
		if (!strcmp(explanation_formats[i].name, "html"))
			assert_non_null(strstr(printed, "<li>race <span"));
		free(printed);
	}
	explanation_deinit(&e);
	/* The kinds that are known stay apart from the words. */
	assert_null(read_text(text, strlen(text), &e));
	assert_int_equal(e.steps.at[0].kind, EXPLANATION_VALUE);
	assert_null(e.steps.at[0].kind_word);
	same = print_json(&e);
	assert_string_equal(same, text);
	explanation_deinit(&e);
	free(same);
	free(again);
	free(changed);
	json_decref(root);
	free(text);
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

/* Numbers are rounded as JSON has them, so that texts agree with those of a report that was read.
 */
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
		cmocka_unit_test(test_files),       cmocka_unit_test(test_round),
		cmocka_unit_test(test_other_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
