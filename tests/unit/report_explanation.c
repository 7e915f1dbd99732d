/* Explanations as text, as JSON and for editors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/columns.h"
#include "report/explanation_words.h"

/* --- a sort that takes one element too many --- */

static struct explanation_place place(const char *file, unsigned line, unsigned column,
                                      const char *function, const char *source)
{
	return (struct explanation_place){.file = mem_strdup(file),
	                                  .line = line,
	                                  .column = column,
	                                  .function = mem_strdup(function),
	                                  .source = source ? mem_strdup(source) : NULL};
}

static struct explanation_step *add_step(struct explanation *e, const char *name,
                                         const char *failing, const char *reference)
{
	struct explanation_step *step = vec_push(&e->steps);

	step->kind = EXPLANATION_VALUE;
	step->method = "transitions";
	*vec_push(&step->values) = (struct explanation_value){mem_strdup(name), mem_strdup(failing),
	                                                      mem_strdup(reference), NULL};
	return step;
}

static void add_proof(struct explanation_step *step, uint64_t number, const char *changed,
                      const char *from, const char *to, bool failing)
{
	step->proven = true;
	*vec_push(&step->proofs) = (struct explanation_proof){
		.experiment = number,
		.changed = mem_strdup(changed),
		.from = mem_strdup(from),
		.to = mem_strdup(to),
		.in = failing ? EXPLANATION_FAILING : EXPLANATION_REFERENCE,
		.outcome = failing ? VERDICT_PASS : VERDICT_FAIL,
		.instance = failing ? step->instance : step->reference_instance};
	if (step->at.file)
		step->proofs.at[step->proofs.size - 1].at = place(
			step->at.file, step->at.line, step->at.column, step->at.function, NULL);
}

static void make_steps(struct explanation *e)
{
	struct explanation_step *step = add_step(e, "argc", "3", "4");

	step->at = place("sample.c", 28, 6, "main", "\tint i = 0;");
	step->when = mem_strdup("main() starts");
	step->instance = step->reference_instance = 1;
	add_proof(step, 4, "argc", "4", "3", false);
	add_proof(step, 5, "argc", "3", "4", true);
	step = add_step(e, "a[2]", "0", "7");
	step->at = place("sample.c", 35, 2, "main", "\tshell_sort(a, argc);");
	step->when = mem_strdup("shell_sort() is called");
	step->instance = 1;
	step->transition = true;
	step->cause = place("sample.c", 32, 14, "main", "\tfor (i = 0; i < argc - 1; i++)");
	step->statement = mem_strdup("i < argc - 1 is false");
	add_proof(step, 12, "a[2]", "0", "7", true);
	step = add_step(e, "v", "0", "7");
	step->at = place("sample.c", 18, 13, "shell_sort", NULL);
	step->instance = 3;
	step->transition = true;
	step->cause = place("sample.c", 17, 8, "shell_sort", "\t\tint v = a[i];");
	step->statement = mem_strdup("v = a[i]");
	step = add_step(e, "", "0", "7");
	free(step->values.at[0].name);
	step->values.at[0].name = NULL;
	step->kind = EXPLANATION_OUTPUT;
	step->observed = true;
	step->what = mem_strdup("the program prints 0");
	step->at = place("sample.c", 38, 3, "main", "\t\tprintf(\"%d \", a[i]);");
}

static void make(struct explanation *e)
{
	*e = (struct explanation){.verdict = EXPLANATION_EXPLAINED,
	                          .program = mem_strdup("./sample")};
	*vec_push(&e->command) = mem_strdup("./sample");
	*vec_push(&e->command) = mem_strdup("11 14");
	e->failure.kind = EXPLANATION_WRONG_OUTPUT;
	e->failure.message = mem_strdup("prints \"0 11\", not \"11 14\" (line 1)");
	e->failure.at = place("sample.c", 38, 0, "main", NULL);
	e->reference.kind = RECIPE_INPUT;
	e->reference.text = mem_strdup("./sample 9 8 7, given with --pass");
	make_steps(e);
	*vec_push(&e->suspects) =
		(struct explanation_suspect){.at = place("sample.c", 35, 2, "main", NULL),
	                                     .score = 0.9,
	                                     .why = mem_strdup("a[2] becomes the cause here")};
	*vec_push(&e->notes) = mem_strdup("one note");
	e->stats.experiments = 31;
	e->stats.seconds = 0.2149;
	e->stats.statements_failing = 38;
	e->stats.statements_reference = 54;
}

/* --- printing to memory: caller frees with free() --- */

static char *print_text(const struct explanation *e, const struct explanation_style *style)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	explanation_print_text(e, style, file);
	fclose(file);
	return text;
}

static char *print_with(const struct explanation *e,
                        void (*print)(const struct explanation *e,
                                      const struct explanation_style *style, FILE *file))
{
	const struct explanation_style style = {.width = 80};
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	print(e, &style, file);
	fclose(file);
	return text;
}

static const struct explanation_style plain = {.width = 80};
static const struct explanation_style full = {.width = 80, .full = true};

static void test_text(void **state)
{
	struct explanation e;
	char *text;

	make(&e);
	text = print_text(&e, &plain);
	assert_string_equal(
		text,
		"./sample prints \"0 11\", not \"11 14\" (line 1)\n"
		"compared with: ./sample 9 8 7, given with --pass\n"
		"values in brackets are those of that run\n"
		"\n"
		" 1. argc is 3 (not 4) when main() starts\n"
		"    sample.c:28:6 in main()  int i = 0;\n"
		"                                 ^\n"
		"    proven both ways [5, 4]\n"
		"\n"
		" 2. a[2] is 0 (not 7) when shell_sort() is called\n"
		"    sample.c:35:2 in main()  shell_sort(a, argc);\n"
		"                             ^\n"
		"    because argc is 3 (step 1), at sample.c:32:14: i < argc - 1 is false\n"
		"    proven: with the value in brackets the failing run passes [12]\n"
		"\n"
		" 3. v is 0 (not 7) after v = a[i]\n"
		"    sample.c:17:8 in shell_sort()  int v = a[i];\n"
		"                                        ^\n"
		"    because a[2] is 0 (step 2); not proven\n"
		"\n"
		" 4. the program prints 0 (not 7)\n"
		"    sample.c:38:3 in main()  printf(\"%d \", a[i]);\n"
		"                             ^\n"
		"    because v is 0 (step 3)\n"
		"\n"
		"look first at\n"
		"  sample.c:35:2  a[2] becomes the cause here\n"
		"\n"
		"worth knowing\n"
		"- one note\n"
		"\n"
		"proven both ways [m, n]: with the values in brackets the failing run passes\n"
		"(experiment m), and with the others the reference run fails (experiment n)\n"
		"31 experiments, 0.21 seconds; the failing run has 38 statements, the reference\n"
		"54\n");
	free(text);
	explanation_deinit(&e);
}

static void test_json(void **state)
{
	struct explanation e;
	char *text;

	make(&e);
	str_add(&vec_push(&e.parts)->json, "{\"size\":3}");
	e.parts.at[0].key = "reduced_input";
	text = print_with(&e, explanation_print_json);
	assert_string_equal(
		text,
		"{\"hence\":1,\"verdict\":\"explained\",\"program\":\"./sample\","
		"\"command\":[\"./sample\",\"11 14\"],"
		"\"failure\":{\"kind\":\"wrong-output\",\"file\":\"sample.c\",\"line\":38,"
		"\"function\":\"main\",\"message\":\"prints \\\"0 11\\\", not \\\"11 14\\\" (line "
		"1)\"},"
		"\"reference\":{\"kind\":\"input\",\"text\":\"./sample 9 8 7, given with "
		"--pass\"},\"steps\":["
		"{\"file\":\"sample.c\",\"line\":28,\"column\":6,\"function\":\"main\","
		"\"instance\":1,\"reference_instance\":1,\"kind\":\"value\","
		"\"variable\":\"argc\",\"failing\":\"3\",\"reference\":\"4\","
		"\"text\":\"argc is 3 (not 4) when main() starts\",\"when\":\"main() starts\","
		"\"method\":\"transitions\",\"transition\":false,\"source\":\"\\u0009int i = "
		"0;\","
		"\"proven\":true,\"proof\":[{\"experiment\":4,\"changed\":\"argc\",\"from\":\"4\","
		"\"to\":\"3\",\"in\":\"reference\",\"outcome\":\"fail\",\"file\":\"sample.c\","
		"\"line\":28,\"column\":6,\"function\":\"main\",\"instance\":1},"
		"{\"experiment\":5,\"changed\":\"argc\",\"from\":\"3\",\"to\":\"4\","
		"\"in\":\"failing\",\"outcome\":\"pass\",\"file\":\"sample.c\",\"line\":28,"
		"\"column\":6,\"function\":\"main\",\"instance\":1}]},"
		"{\"file\":\"sample.c\",\"line\":35,\"column\":2,\"function\":\"main\","
		"\"instance\":1,\"kind\":\"value\",\"variable\":\"a[2]\",\"failing\":\"0\","
		"\"reference\":\"7\",\"text\":\"a[2] is 0 (not 7) when shell_sort() is called\","
		"\"when\":\"shell_sort() is called\",\"method\":\"transitions\","
		"\"transition\":true,\"cause\":{\"file\":\"sample.c\",\"line\":32,\"column\":14,"
		"\"function\":\"main\",\"statement\":\"i < argc - 1 is false\","
		"\"source\":\"\\u0009for (i = 0; i < argc - 1; i++)\"},"
		"\"source\":\"\\u0009shell_sort(a, argc);\",\"proven\":true,"
		"\"proof\":[{\"experiment\":12,\"changed\":\"a[2]\",\"from\":\"0\",\"to\":\"7\","
		"\"in\":\"failing\",\"outcome\":\"pass\",\"file\":\"sample.c\",\"line\":35,"
		"\"column\":2,\"function\":\"main\",\"instance\":1}]},"
		"{\"file\":\"sample.c\",\"line\":18,\"column\":13,\"function\":\"shell_sort\","
		"\"instance\":3,\"kind\":\"value\",\"variable\":\"v\",\"failing\":\"0\","
		"\"reference\":\"7\",\"text\":\"v is 0 (not 7) after v = a[i]\","
		"\"method\":\"transitions\",\"transition\":true,\"cause\":{\"file\":\"sample.c\","
		"\"line\":17,\"column\":8,\"function\":\"shell_sort\","
		"\"statement\":\"v = a[i]\",\"source\":\"\\u0009\\u0009int v = a[i];\"},"
		"\"proven\":false,\"proof\":[]},"
		"{\"file\":\"sample.c\",\"line\":38,\"column\":3,\"function\":\"main\","
		"\"kind\":\"output\",\"failing\":\"0\",\"reference\":\"7\","
		"\"text\":\"the program prints 0 (not 7)\",\"what\":\"the program prints 0\","
		"\"method\":\"transitions\","
		"\"transition\":false,\"source\":\"\\u0009\\u0009printf(\\\"%d \\\", a[i]);\","
		"\"observed\":true,\"proof\":[]}],"
		"\"suspects\":[{\"file\":\"sample.c\",\"line\":35,\"column\":2,"
		"\"function\":\"main\",\"score\":0.90,\"why\":\"a[2] becomes the cause here\"}],"
		"\"reduced_input\":{\"size\":3},\"notes\":[\"one note\"],"
		"\"stats\":{\"experiments\":31,\"seconds\":0.215,\"statements_failing\":38,"
		"\"statements_reference\":54}}\n");
	free(text);
	explanation_deinit(&e);
}

static void test_gcc(void **state)
{
	struct explanation e;
	char *text;

	make(&e);
	text = print_with(&e, explanation_print_gcc);
	assert_string_equal(
		text,
		"sample.c:38: error: ./sample prints \"0 11\", not \"11 14\" (line 1)\n"
		"sample.c:28:6: note: argc is 3 (not 4) when main() starts [experiment 4, 5]\n"
		"sample.c:35:2: note: a[2] is 0 (not 7) when shell_sort() is called [experiment "
		"12]\n"
		"sample.c:32:14: note: it became the cause at sample.c:32:14: i < argc - 1 is "
		"false\n"
		"sample.c:17:8: note: v is 0 (not 7) after v = a[i] (not proven)\n"
		"sample.c:38:3: note: the program prints 0 (not 7)\n"
		"sample.c:35:2: warning: look here: a[2] becomes the cause here\n"
		"hence: note: one note\n");
	free(text);
	explanation_deinit(&e);
}

/* --- values of several variables, and of some that are in one run only --- */

static void test_values(void **state)
{
	const struct explanation_value values[] = {{"n", "3", "4", NULL},
	                                           {"p->next", NULL, "0x10", NULL},
	                                           {"q->next", "NULL", NULL, NULL}};
	const struct explanation_marks marks = {"<", "[", "{", ">"};
	struct str out = STR_INIT;

	explanation_add_values(&out, values, 3, &explanation_unmarked);
	assert_string_equal(str_text(&out),
	                    "n is 3 (not 4), p->next does not exist (is 0x10 in the reference) and "
	                    "q->next is NULL (does not exist in the reference)");
	str_deinit(&out);
	explanation_add_values(&out, values, 1, &marks);
	assert_string_equal(str_text(&out), "<n> is [3> (not {4>)");
	str_deinit(&out);
}

static void assert_proof(enum explanation_run in, enum verdict outcome, const char *expected)
{
	const struct explanation_step step = {0};
	const struct explanation_proof proof = {
		.experiment = 7, .changed = "n", .to = "4", .in = in, .outcome = outcome};
	struct str out = STR_INIT;

	explanation_add_proof(&out, &step, &proof);
	assert_string_equal(str_text(&out), expected);
	str_deinit(&out);
}

static void test_proofs(void **state)
{
	assert_proof(EXPLANATION_FAILING, VERDICT_PASS,
	             "with n = 4 the failing run passes [experiment 7]");
	assert_proof(EXPLANATION_FAILING, VERDICT_FAIL,
	             "with n = 4 the failing run still fails [experiment 7]");
	assert_proof(EXPLANATION_REFERENCE, VERDICT_FAIL,
	             "with n = 4 the reference run fails [experiment 7]");
	assert_proof(EXPLANATION_REFERENCE, VERDICT_PASS,
	             "with n = 4 the reference run still passes [experiment 7]");
	assert_proof(EXPLANATION_REFERENCE, VERDICT_UNRESOLVED,
	             "with n = 4 the reference run neither passes nor fails [experiment 7]");
}

/* Of several variables each is told with its value. */
static void test_proof_of_many(void **state)
{
	struct explanation e = {0};
	struct explanation_step *step = add_step(&e, "a", "1", "2");
	struct str out = STR_INIT;

	*vec_push(&step->values) =
		(struct explanation_value){.name = mem_strdup("b"), .failing = mem_strdup("x, y")};
	add_proof(step, 3, "a, b", "2, ", "1, x, y", false);
	add_proof(step, 4, "a, b", "1, x, y", "2, ", true);
	add_proof(step, 5, "a", "1", "2", true);
	explanation_add_proof(&out, step, &step->proofs.at[0]);
	assert_string_equal(str_text(&out),
	                    "with a = 1 and b = x, y the reference run fails [experiment 3]");
	str_deinit(&out);
	explanation_add_proof(&out, step, &step->proofs.at[1]);
	assert_string_equal(str_text(&out),
	                    "with a = 2 and b taken away the failing run passes [experiment 4]");
	str_deinit(&out);
	explanation_add_proof(&out, step, &step->proofs.at[2]);
	assert_string_equal(str_text(&out), "with a = 2 the failing run passes [experiment 5]");
	str_deinit(&out);
	explanation_deinit(&e);
}

/* An experiment about the next step is told where none shows that the failure follows; one on guard rails says so. */
static void test_local(void **state)
{
	const struct explanation_style wide = {.width = 200, .full = true};
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	struct explanation_step *step = add_step(&e, "n", "1", "2");
	char *text;

	add_proof(step, 3, "n", "2", "1", false);
	add_proof(step, 4, "n", "1", "2", true);
	step->proofs.at[0].local = step->proofs.at[0].guarded = true;
	step->proofs.at[1].local = true;
	text = print_text(&e, &wide);
	assert_non_null(strstr(text, "proven: with n = 1 the reference run comes to the next step "
	                             "[experiment 3, guarded]; with n = 2 the failing run does not "
	                             "come to the next step [experiment 4]\n"));
	free(text);
	text = print_with(&e, explanation_print_json);
	assert_non_null(
		strstr(text, "\"outcome\":\"fail\",\"judged\":\"next step\",\"guarded\":true"));
	assert_non_null(strstr(text, "\"outcome\":\"pass\",\"judged\":\"next step\"}"));
	free(text);
	add_proof(step, 5, "n", "1", "2", true);
	text = print_text(&e, &wide);
	assert_non_null(strstr(text, "proven: with n = 2 the failing run passes [experiment 5]\n"));
	free(text);
	explanation_deinit(&e);
}

/* What two methods have tried is told once, in whatever order they name the variables. */
static void test_twice(void **state)
{
	const struct explanation_style wide = {.width = 200, .full = true};
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	struct explanation_step *step = add_step(&e, "n", "1", "2");
	char *text;

	*vec_push(&step->values) =
		(struct explanation_value){mem_strdup("m"), mem_strdup("3"), mem_strdup("4"), NULL};
	add_proof(step, 3, "n, m", "1, 3", "2, 4", true);
	add_proof(step, 9, "m, n", "3, 1", "4, 2", true);
	text = print_text(&e, &wide);
	assert_non_null(strstr(
		text, "proven: with n = 2 and m = 4 the failing run passes [experiment 3]\n"));
	free(text);
	step->proofs.at[0].outcome = step->proofs.at[1].outcome = VERDICT_UNRESOLVED;
	text = print_text(&e, &wide);
	assert_non_null(
		strstr(text, "proven with the step before, which brings it about; by itself"));
	free(text);
	explanation_deinit(&e);
}

/* A switch is told by where it goes. */
static void test_switch(void **state)
{
	struct explanation e = {0};
	struct explanation_step *step = add_step(&e, "state", "case STAR", "default");
	struct str out = STR_INIT;

	step->kind = EXPLANATION_BRANCH;
	explanation_add_step(&out, step, &explanation_unmarked);
	assert_string_equal(str_text(&out), "switch (state) goes to case STAR (not to default)");
	str_deinit(&out);
	explanation_deinit(&e);
}

/* A statement that only says the value again is left out. */
static void test_told(void **state)
{
	struct explanation e = {0};
	struct explanation_step *step = add_step(&e, "v", "0", "7");
	struct str out = STR_INIT;

	step->transition = true;
	step->statement = mem_strdup("v = 0");
	explanation_add_step(&out, step, &explanation_unmarked);
	assert_string_equal(str_text(&out), "v is 0 (not 7)");
	str_deinit(&out);
	free(step->statement);
	step->statement = mem_strdup("i < n is false");
	explanation_add_step(&out, step, &explanation_unmarked);
	assert_string_equal(str_text(&out), "v is 0 (not 7) after i < n is false");
	str_deinit(&out);
	explanation_deinit(&e);
}

/* An assignment tells more than the call that comes next; a branch does not. */
static void test_moment(void **state)
{
	struct explanation e = {0};
	struct explanation_step *step = add_step(&e, "n", "12", "8");
	struct str out = STR_INIT;

	step->transition = true;
	step->at = place("a.c", 9, 2, "main", NULL);
	step->cause = place("a.c", 7, 3, "main", NULL);
	step->when = mem_strdup("f() is called");
	step->statement = mem_strdup("n = 12");
	explanation_add_step(&out, step, &explanation_unmarked);
	assert_string_equal(str_text(&out), "n is 12 (not 8)");
	assert_int_equal(explanation_step_place(step)->line, 7);
	str_deinit(&out);
	free(step->statement);
	step->statement = mem_strdup("k > 9 is true");
	explanation_add_step(&out, step, &explanation_unmarked);
	assert_string_equal(str_text(&out), "n is 12 (not 8) when f() is called");
	assert_int_equal(explanation_step_place(step)->line, 9);
	str_deinit(&out);
	explanation_deinit(&e);
}

/* What proves a step is shown; what was tried besides only where nothing does. */
static void test_proving(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	struct explanation_step *step = add_step(&e, "n", "3", "4");
	char *text;

	add_proof(step, 3, "n", "4", "3", false);
	add_proof(step, 4, "n", "3", "4", true);
	step->proofs.at[1].outcome = VERDICT_UNRESOLVED;
	text = print_text(&e, &full);
	assert_non_null(
		strstr(text, "proven: with n = 3 the reference run fails [experiment 3]\n"));
	free(text);
	text = print_text(&e, &plain);
	assert_non_null(strstr(text, "    proven: with this value the reference run fails [3]\n"));
	free(text);
	step->proofs.at[0].outcome = VERDICT_PASS;
	step->proven = false;
	text = print_text(&e, &plain);
	assert_non_null(strstr(text, "    not proven: with n = 3 the reference run still passes "
	                             "[experiment 3]; with n\n"
	                             "      = 4 the failing run neither passes nor fails "
	                             "[experiment 4]\n"));
	free(text);
	explanation_deinit(&e);
}

/* A transition by one of several statements; branches. */
static void test_between(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	struct explanation_step *step = add_step(&e, "n", "3", "4");
	struct str out = STR_INIT;
	char *text;

	step->transition = true;
	step->cause = place("a.c", 7, 3, "f", NULL);
	step->until = place("a.c", 9, 1, "f", NULL);
	step->statement = mem_strdup("i = 1");
	step->until_statement = mem_strdup("return 3");
	text = print_text(&e, &plain);
	assert_non_null(strstr(text, " 1. n is 3 (not 4)\n    a.c:7:3 in f()\n"
	                             "    made between a.c:7:3: i = 1 and a.c:9:1: return 3; not "
	                             "proven\n"));
	free(text);
	text = print_with(&e, explanation_print_json);
	assert_non_null(strstr(text, ",\"until\":{\"file\":\"a.c\",\"line\":9,\"column\":1,"
	                             "\"function\":\"f\",\"statement\":\"return 3\"},"));
	free(text);
	explanation_place_deinit(&step->until);
	step->kind = EXPLANATION_BRANCH;
	explanation_add_step(&out, step, &explanation_unmarked);
	assert_string_equal(str_text(&out), "n is 3 (not 4)");
	str_deinit(&out);
	step->what = mem_strdup("the program prints 1");
	explanation_add_step(&out, step, &explanation_unmarked);
	assert_string_equal(str_text(&out), "the program prints 1 (the reference 4)");
	str_deinit(&out);
	explanation_deinit(&e);
}

/* Of very many variables only some are told; the JSON has all. */
static void test_very_many(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	struct explanation_step *step = add_step(&e, "a", "1", "2");
	struct str out = STR_INIT;
	char *text;

	for (int i = 0; i < 9; i++)
		*vec_push(&step->values) = (struct explanation_value){
			str_format("b%d", i), mem_strdup("3"), mem_strdup("4"), NULL};
	explanation_add_values(&out, step->values.at, step->values.size, &explanation_unmarked);
	assert_string_equal(str_text(&out), "a is 1 (not 2), b0 is 3 (not 4), b1 is 3 (not 4) and "
	                                    "7 more variables");
	str_deinit(&out);
	add_proof(step, 3, "a, b0, b1, b2, b3, b4, b5, b6, b7, b8", "", "", false);
	add_proof(step, 4, "a, b0, b1, b2, b3, b4, b5, b6, b7, b8", "", "", true);
	explanation_add_proof(&out, step, &step->proofs.at[0]);
	assert_string_equal(str_text(&out),
	                    "with these values the reference run fails [experiment 3]");
	str_deinit(&out);
	explanation_add_proof(&out, step, &step->proofs.at[1]);
	assert_string_equal(str_text(&out),
	                    "with the values of the reference the failing run passes "
	                    "[experiment 4]");
	str_deinit(&out);
	text = print_with(&e, explanation_print_json);
	assert_non_null(
		strstr(text, "{\"variable\":\"b8\",\"failing\":\"3\",\"reference\":\"4\"}]"));
	free(text);
	explanation_deinit(&e);
}

/* Steps of a loop are not all shown; nor are very many notes. */
static void test_alike(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	char *text;

	for (int i = 0; i < 6; i++) {
		struct explanation_step *step = add_step(&e, "k", "1", "2");

		step->transition = true;
		step->cause = place("a.c", 7, 3, "f", NULL);
		step->statement = str_format("round %d", i);
	}
	for (int i = 0; i < 12; i++)
		*vec_push(&e.notes) = str_format("note %d", i);
	text = print_text(&e, &plain);
	assert_non_null(strstr(text, " 1. k is 1 (not 2) after round 0\n"));
	assert_non_null(strstr(text, " 2. k is 1 (not 2) after round 1\n"));
	assert_non_null(strstr(text, "\n    ... 3 more steps (--full shows them)\n"
	                             "\n 6. k is 1 (not 2) after round 5\n"));
	assert_null(strstr(text, " 3. "));
	assert_non_null(strstr(text, "- note 9\n- and 2 more (--full shows them)\n"));
	free(text);
	explanation_deinit(&e);
}

/* Further variables of a step are in the JSON. */
static void test_json_with(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_UNPROVEN};
	struct explanation_step *step = add_step(&e, "a", "1", "2");
	char *text;

	*vec_push(&step->values) = (struct explanation_value){.name = mem_strdup("b"),
	                                                      .failing = mem_strdup("\x1b[2J\"")};
	text = print_with(&e, explanation_print_json);
	assert_non_null(strstr(text, "\"variable\":\"a\",\"failing\":\"1\",\"reference\":\"2\","
	                             "\"with\":[{\"variable\":\"b\",\"failing\":\"\\u001b[2J\\\"\"}"
	                             "],"));
	free(text);
	explanation_deinit(&e);
}

/* --- what programs do to terminals --- */

static void test_safe(void **state)
{
	struct str out = STR_INIT;

	explanation_add_safe(&out, "a\x1b[31mb\n\t\r\x7f\xff\xc2\x9b"
	                           "c\xc3\xa9\xe2\x80\xae\xe2\x81\xa6\xe2\x82\xac");
	assert_string_equal(str_text(&out),
	                    "a\\x1b[31mb\\n\\t\\x0d\\x7f\\xff\\xc2\\x9bc\xc3\xa9\\xe2\\x80\\xae"
	                    "\\xe2\\x81\\xa6\xe2\x82\xac");
	str_deinit(&out);
}

/* No byte that a terminal obeys comes out, wherever it came in. */
static void test_hostile(void **state)
{
	static const char bad[] = "x\x1b]0;y\x07\n";
	struct explanation e = {.verdict = EXPLANATION_UNPROVEN, .program = mem_strdup(bad)};
	struct explanation_step *step = add_step(&e, bad, bad, bad);
	char *text, *messages;

	step->at = place(bad, 1, 1, bad, bad);
	step->cause = place(bad, 2, 1, bad, bad);
	step->transition = true;
	step->when = mem_strdup(bad);
	step->statement = mem_strdup(bad);
	add_proof(step, 1, bad, bad, bad, true);
	*vec_push(&e.suspects) = (struct explanation_suspect){.at = place(bad, 3, 1, bad, bad),
	                                                      .why = mem_strdup(bad)};
	*vec_push(&e.notes) = mem_strdup(bad);
	e.hint = mem_strdup(bad);
	e.failure.message = mem_strdup(bad);
	e.reference.text = mem_strdup(bad);
	vec_push(&e.points)->at = place(bad, 4, 1, bad, bad);
	text = print_text(&e, &plain);
	messages = print_with(&e, explanation_print_gcc);
	for (const char *at = text; *at; at++)
		assert_true(*at == '\n' || (unsigned char)*at >= ' ');
	for (const char *at = messages; *at; at++)
		assert_true(*at == '\n' || (unsigned char)*at >= ' ');
	assert_null(strchr(text, '\x1b'));
	assert_non_null(strstr(messages, "x\\x1b]0;y\\x07\\n:1:1: note: "));
	free(text);
	free(messages);
	explanation_deinit(&e);
}

/* --- layout --- */

static char *wrap(const char *text, unsigned first, unsigned indent, unsigned width)
{
	char *out;
	size_t size;
	FILE *file = open_memstream(&out, &size);

	columns_wrap_hanging(text, first, indent, width, file);
	fclose(file);
	return out;
}

static void assert_wrapped(const char *text, unsigned first, unsigned indent, unsigned width,
                           const char *expected)
{
	char *out = wrap(text, first, indent, width);

	assert_string_equal(out, expected);
	free(out);
}

static void test_wrap(void **state)
{
	assert_wrapped("ab cd ef", 0, 2, 5, "ab cd\n  ef\n");
	assert_wrapped("ab cd ef", 2, 0, 5, "  ab\ncd ef\n");
	assert_wrapped("abcdefghij k", 0, 0, 5, "abcdefghij\nk\n");
	assert_wrapped("\x1b[1mab\x1b[0m cd", 0, 0, 5, "\x1b[1mab\x1b[0m cd\n");
	assert_wrapped("\xc3\xa9\xc3\xa9 cd", 0, 0, 5, "\xc3\xa9\xc3\xa9 cd\n");
	assert_wrapped("", 0, 4, 80, "\n");
}

static void print_source(const struct explanation_place *at, const char *expected)
{
	char *out;
	size_t size;
	FILE *file = open_memstream(&out, &size);

	explanation_print_source(at, 2, 40, "", "", file);
	fclose(file);
	assert_string_equal(out, expected);
	free(out);
}

static void test_source(void **state)
{
	struct explanation_place at = {.column = 5, .source = "\tx\ty\xc3\xa9 = 1;"};

	print_source(&at, "  x y\xc3\xa9 = 1;\n     ^\n");
	at.column = 7; /* behind a character of two bytes */
	print_source(&at, "  x y\xc3\xa9 = 1;\n      ^\n");
	at.column = 1; /* in the indentation: nothing to mark */
	print_source(&at, "  x y\xc3\xa9 = 1;\n");
	at.column = 99;
	print_source(&at, "  x y\xc3\xa9 = 1;\n");
	at.source = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	at.column = 60; /* what is marked is kept */
	print_source(&at, "  ...aaaaaaaaaaaaaaaaaaaaaaaaa\n                        ^\n");
}

/* --- all points --- */

static void add_point(struct explanation *e, unsigned line, const char *source, uint64_t failing,
                      uint64_t reference, const char *name, bool transition)
{
	struct explanation_point *point = vec_push(&e->points);

	point->at = place("a.c", line, 3, "main", source);
	point->failing_time = failing;
	point->reference_time = reference;
	point->transition = transition;
	if (name)
		*vec_push(&point->values) = (struct explanation_value){
			mem_strdup(name), mem_strdup("3"), mem_strdup("4"), NULL};
}

static void test_points(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	char *out;
	size_t size;
	FILE *file = open_memstream(&out, &size);

	add_point(&e, 9, "\tint i = 0;", 1, 1, "argc", true);
	add_point(&e, 10, "\tsort(a, n);", 12, 15, "n", true);
	add_point(&e, 11, NULL, 13, 0, NULL, false);
	explanation_print_points(&e, 80, file);
	fclose(file);
	assert_string_equal(out, "\n"
	                         "  failing  reference  place   code         cause\n"
	                         "        1          1  a.c:9   int i = 0;   argc = 3\n"
	                         "------------------------------------------------\n"
	                         "       12         15  a.c:10  sort(a, n);  n = 3\n"
	                         "       13          -  a.c:11               ?\n");
	free(out);
	explanation_deinit(&e);
}

static void test_verdicts(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_INCOMPLETE, .program = mem_strdup("./p")};
	char *text;

	e.hint = mem_strdup("try this");
	e.stats.experiments = 1;
	e.stats.runs = 2;
	text = print_text(&e, &plain);
	assert_string_equal(text, "./p fails\n"
	                          "\n"
	                          "incomplete: the search was ended early; this is what was known\n"
	                          "\n"
	                          "try this\n"
	                          "\n"
	                          "1 experiment, 2 runs on other input, 0.00 seconds\n");
	free(text);
	e.verdict = EXPLANATION_UNPROVEN;
	text = print_text(&e, &plain);
	assert_non_null(strstr(text, "\nno cause could be proven\n"));
	free(text);
	explanation_deinit(&e);
}

/* Experiments that say nothing are told. */
static void test_confounded(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_UNPROVEN, .program = mem_strdup("./p")};
	char *text;

	e.stats.experiments = 9;
	e.stats.confounded = 2;
	text = print_text(&e, &plain);
	assert_non_null(strstr(text, "\n9 experiments (2 went ways that neither run had, and were "
	                             "not counted), 0.00\nseconds\n"));
	free(text);
	text = print_with(&e, explanation_print_json);
	assert_non_null(strstr(text, "\"stats\":{\"experiments\":9,\"confounded\":2,"));
	free(text);
	explanation_deinit(&e);
}

/* Colours are around values only when they are wanted. */
static void test_colours(void **state)
{
	const struct explanation_style style = {.coloured = true, .width = 80};
	struct explanation e;
	char *text;

	make(&e);
	text = print_text(&e, &style);
	assert_non_null(strstr(text, "\x1b[1margc\x1b[0m is \x1b[1;31m3\x1b[0m (not "
	                             "\x1b[32m4\x1b[0m) when main() starts\n"));
	free(text);
	explanation_deinit(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),          cmocka_unit_test(test_json),
		cmocka_unit_test(test_gcc),           cmocka_unit_test(test_values),
		cmocka_unit_test(test_json_with),     cmocka_unit_test(test_proofs),
		cmocka_unit_test(test_proof_of_many), cmocka_unit_test(test_told),
		cmocka_unit_test(test_local),         cmocka_unit_test(test_switch),
		cmocka_unit_test(test_twice),         cmocka_unit_test(test_proving),
		cmocka_unit_test(test_moment),        cmocka_unit_test(test_between),
		cmocka_unit_test(test_very_many),     cmocka_unit_test(test_alike),
		cmocka_unit_test(test_safe),          cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_wrap),          cmocka_unit_test(test_source),
		cmocka_unit_test(test_points),        cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_confounded),    cmocka_unit_test(test_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
