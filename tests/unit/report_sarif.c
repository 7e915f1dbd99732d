/* Explanations as SARIF. That the files it is compared with are SARIF, tests/report/formats shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "explanation_made.h"

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!json)
		fail_msg("%d:%d: %s in %s", error.line, error.column, error.text, text);
	return json;
}

/* Caller frees with json_decref(). */
static json_t *print(const struct explanation *e)
{
	char *text = made_printed(e, explanation_print_sarif);
	json_t *json = parse(text);

	free(text);
	return json;
}

/* The files are indented, for people; so the values are compared. */
static void assert_golden(const struct explanation *e, const char *name)
{
	char *text = made_golden(name), *printed;
	json_t *golden = parse(text), *json = print(e);

	if (!json_equal(golden, json)) {
		printed = json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
		made_keep(name, printed);
		fail_msg("not as in %s: %s", name, printed);
	}
	json_decref(golden);
	json_decref(json);
	free(text);
}

static void test_golden(void **state)
{
	struct explanation e;

	made_explained(&e);
	assert_golden(&e, "explained.sarif");
	explanation_deinit(&e);
	made_bare(&e);
	assert_golden(&e, "bare.sarif");
	explanation_deinit(&e);
	made_fixed(&e);
	assert_golden(&e, "fixed.sarif");
	explanation_deinit(&e);
	made_only_fixed(&e);
	assert_golden(&e, "fix.sarif");
	explanation_deinit(&e);
}

/* --- parts of it; valid until the log is released --- */

static const json_t *run_of(const json_t *log)
{
	return json_array_get(json_object_get(log, "runs"), 0);
}

static const json_t *result_of(const json_t *log)
{
	return json_array_get(json_object_get(run_of(log), "results"), 0);
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static const json_t *related(const json_t *log, size_t index)
{
	return json_array_get(json_object_get(result_of(log), "relatedLocations"), index);
}

static const json_t *region_of(const json_t *location)
{
	return json_object_get(json_object_get(location, "physicalLocation"), "region");
}

/* --- fingerprints --- */

/* Caller frees with free(). */
static char *fingerprints(const struct explanation *e)
{
	json_t *log = print(e);
	char *text =
		json_dumps(json_object_get(result_of(log), "partialFingerprints"), JSON_SORT_KEYS);

	json_decref(log);
	return text;
}

static void move(struct explanation_place *place, const char *file)
{
	place->line += 100;
	place->column += place->column ? 4 : 0;
	if (!place->source)
		return;
	free(place->file);
	place->file = mem_strdup(file);
	char *indented = str_format("    %s  ", place->source);

	free(place->source);
	place->source = indented;
}

/* Other lines, folders, blanks, experiments, times, messages and values: it is still the same failure. */
static void test_stable(void **state)
{
	struct explanation e;
	char *before, *after;

	made_explained(&e);
	e.failure.at.source = mem_strdup("\t\tprintf(\"%d \", a[i]);");
	before = fingerprints(&e);
	move(&e.failure.at, "/elsewhere/sample.c");
	for (uint32_t i = 0; i < e.steps.size; i++) {
		move(&e.steps.at[i].at, "/elsewhere/sample.c");
		e.steps.at[i].time += 1000;
		for (uint32_t j = 0; j < e.steps.at[i].proofs.size; j++)
			e.steps.at[i].proofs.at[j].experiment += 50;
	}
	e.stats.seconds = 9;
	e.stats.experiments = 99;
	free(e.failure.message);
	e.failure.message = mem_strdup("prints a wrong line 2");
	free(e.steps.at[0].values.at[0].failing);
	e.steps.at[0].values.at[0].failing = mem_strdup("5");
	after = fingerprints(&e);
	assert_string_equal(before, after);
	free(after);
	free(before);
	explanation_deinit(&e);
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = mem_strdup(by);
}

/* Each of the four decides. */
static void test_different(void **state)
{
	char *seen[5];

	for (unsigned i = 0; i < 5; i++) {
		struct explanation e;

		made_explained(&e);
		e.failure.at.source = mem_strdup("\t\tprintf(\"%d \", a[i]);");
		if (i == 1)
			e.failure.kind = EXPLANATION_CRASH;
		if (i == 2)
			replace(&e.failure.at.file, "src/other.c");
		if (i == 3)
			replace(&e.failure.at.function, "other");
		if (i == 4)
			replace(&e.failure.at.source, "\t\tputs(a);");
		seen[i] = fingerprints(&e);
		for (unsigned j = 0; j < i; j++)
			assert_string_not_equal(seen[i], seen[j]);
		explanation_deinit(&e);
	}
	for (unsigned i = 0; i < 5; i++)
		free(seen[i]);
}

/* --- places --- */

static void assert_uri(const char *file, const char *uri, const char *base)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	const json_t *location;
	json_t *log;

	made_suspect(&e, made_place(file, 1, 1, NULL, NULL), 1, "");
	log = print(&e);
	location = json_object_get(json_object_get(related(log, 0), "physicalLocation"),
	                           "artifactLocation");
	if (uri)
		assert_string_equal(text_of(location, "uri"), uri);
	else
		assert_null(location);
	if (base)
		assert_string_equal(text_of(location, "uriBaseId"), base);
	else
		assert_null(text_of(location, "uriBaseId"));
	json_decref(log);
	explanation_deinit(&e);
}

static void test_uris(void **state)
{
	assert_uri("a.c", "a.c", "SRCROOT");
	assert_uri("./src//./a.c", "src/a.c", "SRCROOT");
	assert_uri("../a.c", "../a.c", "SRCROOT");
	assert_uri("/usr/my lib/a.c", "file:///usr/my%20lib/a.c", NULL);
	assert_uri("c:x?y#z%20", "c%3Ax%3Fy%23z%2520", "SRCROOT");
	assert_uri("\xc3\xa9\xff\n", "%C3%A9%FF%0A", "SRCROOT");
	assert_uri("<a>&\"'\\{0}", "%3Ca%3E%26%22%27%5C%7B0%7D", "SRCROOT");
	assert_uri("", NULL, NULL);
	assert_uri("./", NULL, NULL);
	assert_uri(NULL, NULL, NULL);
}

static void assert_column(const char *source, unsigned column, int expected, const char *snippet)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	const json_t *region;
	json_t *log;

	made_suspect(&e, made_place("a.c", 3, column, NULL, source), 1, "");
	log = print(&e);
	region = region_of(related(log, 0));
	assert_int_equal(json_integer_value(json_object_get(region, "startColumn")), expected);
	if (snippet)
		assert_string_equal(text_of(json_object_get(region, "snippet"), "text"), snippet);
	else
		assert_null(json_object_get(region, "snippet"));
	json_decref(log);
	explanation_deinit(&e);
}

/* Bytes become units of UTF-16, and the text is that of the region. */
static void test_columns(void **state)
{
	assert_column("ab", 2, 2, "b");
	assert_column("\xc3\xa9"
	              "b",
	              3, 2, "b");
	assert_column("\xf0\x9f\x98\x80"
	              "b",
	              5, 3, "b");
	assert_column("\xff"
	              "b",
	              2, 2, "b");
	assert_column("a\xc3\xa9", 3, 2, "\xc3\xa9"); /* within a character */
	assert_column("ab", 0, 0, "ab");
	assert_column("ab", 9, 9, NULL);
	assert_column(NULL, 9, 9, NULL);
}

/* The text of a line may be kept with the files instead of with the place. */
static void test_sources(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	struct explanation_source *source = vec_push(&e.sources);
	json_t *log;

	source->file = mem_strdup("a.c");
	source->first = 2;
	*vec_push(&source->lines) = mem_strdup("second");
	*vec_push(&source->lines) = mem_strdup("third");
	made_suspect(&e, made_place("a.c", 3, 2, NULL, NULL), 1, "");
	made_suspect(&e, made_place("a.c", 4, 2, NULL, NULL), 1, "");
	made_suspect(&e, made_place("b.c", 3, 2, NULL, NULL), 1, "");
	log = print(&e);
	assert_string_equal(text_of(json_object_get(region_of(related(log, 0)), "snippet"), "text"),
	                    "hird");
	assert_null(json_object_get(region_of(related(log, 1)), "snippet"));
	assert_null(json_object_get(region_of(related(log, 2)), "snippet"));
	json_decref(log);
	explanation_deinit(&e);
}

/* --- messages --- */

/* Braces are doubled, and links and control characters undone. */
static void test_messages(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED, .program = mem_strdup("p")};
	json_t *log;

	made_suspect(&e, made_place("[a]\\{b}.c", 1, 1, NULL, NULL), 1,
	             "{0} }{ [a](1) [b\\](2) [c\\\\](3) \x1b[0m \xff");
	e.failure.message = mem_strdup("says [click](http://x)");
	log = print(&e);
	assert_string_equal(text_of(json_object_get(related(log, 0), "message"), "text"),
	                    "{{0}} }}{{ [a\\](1) [b\\](2) [c\\\\\\](3) \\x1b[0m \\xff");
	assert_string_equal(text_of(json_object_get(result_of(log), "message"), "text"),
	                    "p says [click\\](http://x). Look first at "
	                    "[\\[a\\]\\\\{{b}}.c:1](1).");
	json_decref(log);
	explanation_deinit(&e);
}

/* Of a text that is empty something is shown, and a variable that has no name is none. */
static void test_empty(void **state)
{
	struct explanation e;
	const json_t *flow, *step;
	json_t *log;

	made_explained(&e);
	replace(&e.suspects.at[0].why, "");
	replace(&e.steps.at[3].values.at[0].failing, "");
	replace(&e.steps.at[3].values.at[1].name, "");
	log = print(&e);
	flow = json_array_get(json_object_get(result_of(log), "codeFlows"), 0);
	flow = json_array_get(json_object_get(flow, "threadFlows"), 0);
	step = json_array_get(json_object_get(flow, "locations"), 3);
	assert_string_equal(text_of(json_object_get(related(log, 0), "message"), "text"), "-");
	assert_int_equal(json_object_size(json_object_get(step, "state")), 4);
	assert_string_equal(text_of(json_object_get(json_object_get(step, "state"), "n"), "text"),
	                    "-");
	json_decref(log);
	explanation_deinit(&e);
}

/* That it fails is sure; why, may not be. */
static void test_levels(void **state)
{
	static const enum explanation_verdict verdicts[] = {
		EXPLANATION_EXPLAINED, EXPLANATION_UNPROVEN, EXPLANATION_INCOMPLETE};
	static const char *const levels[] = {"error", "warning", "warning"};

	for (int i = 0; i < 3; i++) {
		struct explanation e = {.verdict = verdicts[i], .program = mem_strdup("p")};
		json_t *log = print(&e);
		const json_t *invocation =
			json_array_get(json_object_get(run_of(log), "invocations"), 0);

		assert_string_equal(text_of(result_of(log), "kind"), "fail");
		assert_string_equal(text_of(result_of(log), "level"), levels[i]);
		assert_int_equal(json_is_true(json_object_get(invocation, "executionSuccessful")),
		                 i < 2);
		assert_int_equal(
			json_array_size(json_object_get(invocation, "toolExecutionNotifications")),
			i > 0);
		json_decref(log);
		explanation_deinit(&e);
	}
}

/* --- any bytes at all --- */

/* Caller frees with free(). */
static char *random_text(uint64_t *seed)
{
	static const char likely[] = "{}[]()\"\\/\n\x1b\xe2\x80\xae\xef\xbf\xf0\x9f 0a";
	size_t length = *seed % 12;
	char *text = mem_alloc(length + 1);

	for (size_t i = 0; i < length; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		text[i] = *seed >> 63 ? likely[(*seed >> 33) % (sizeof(likely) - 1)]
		                      : (char)(1 + (*seed >> 33) % 255);
	}
	text[length] = '\0';
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return text;
}

static void make_random(uint64_t *seed, struct explanation *e)
{
	struct explanation_step *step;

	made_explained(e);
	free(e->failure.message);
	e->failure.message = random_text(seed);
	step = &e->steps.at[2];
	explanation_place_deinit(&step->cause);
	step->cause = (struct explanation_place){.file = random_text(seed),
	                                         .line = 1,
	                                         .column = (unsigned)(*seed >> 40) % 16,
	                                         .function = random_text(seed),
	                                         .source = random_text(seed)};
	free(step->statement);
	step->statement = random_text(seed);
	free(step->values.at[0].name);
	step->values.at[0].name = random_text(seed);
	free(step->values.at[0].failing);
	step->values.at[0].failing = random_text(seed);
	free(e->suspects.at[0].why);
	e->suspects.at[0].why = random_text(seed);
	explanation_place_deinit(&e->suspects.at[0].at);
	e->suspects.at[0].at =
		(struct explanation_place){.file = random_text(seed), .line = 7, .column = 1};
	free(e->notes.at[0]);
	e->notes.at[0] = random_text(seed);
	free(e->command.at[1]);
	e->command.at[1] = random_text(seed);
}

/* Messages stay without placeholders, and links stay ours. */
static void assert_harmless(const char *text)
{
	unsigned links = 0, backslashes = 0;

	for (const char *at = text; *at; at++) {
		assert_true((unsigned char)*at >= ' ' && *at != 127);
		if (*at == '{' || *at == '}') {
			assert_int_equal(at[1], at[0]);
			at++;
		}
		links += at[0] == ']' && at[1] == '(' && backslashes % 2 == 0;
		backslashes = *at == '\\' ? backslashes + 1 : 0;
	}
	assert_int_equal(links, 0);
}

static void test_random(void **state)
{
	uint64_t seed = 7;

	for (int i = 0; i < 1000; i++) {
		struct explanation e;
		json_t *log;

		make_random(&seed, &e);
		log = print(&e);
		assert_harmless(text_of(json_object_get(related(log, 0), "message"), "text"));
		json_decref(log);
		explanation_deinit(&e);
	}
}

static void test_rules(void **state)
{
	static const char *const kinds[] = {"crash", "assert", "wrong-output", "exit",
	                                    "hang",  "memory", "test",         NULL};

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
		char *expected = str_format("hence/%s", kinds[i] ? kinds[i] : "failure");
		json_t *log;

		e.failure.kind = kinds[i] ? explanation_kind_of(kinds[i]) : EXPLANATION_NO_KIND;
		log = print(&e);
		assert_string_equal(text_of(result_of(log), "ruleId"), expected);
		json_decref(log);
		free(expected);
		explanation_deinit(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),    cmocka_unit_test(test_stable),
		cmocka_unit_test(test_different), cmocka_unit_test(test_uris),
		cmocka_unit_test(test_columns),   cmocka_unit_test(test_sources),
		cmocka_unit_test(test_messages),  cmocka_unit_test(test_levels),
		cmocka_unit_test(test_empty),     cmocka_unit_test(test_random),
		cmocka_unit_test(test_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
