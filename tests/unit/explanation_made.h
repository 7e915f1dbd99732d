/* An explanation that has all that printers must show, made by hand, and one that has nothing; and comparing with files. */
#ifndef HENCE_TESTS_EXPLANATION_MADE_H
#define HENCE_TESTS_EXPLANATION_MADE_H

#include "report/explanation.h"

typedef void made_print(const struct explanation *e, const struct explanation_style *style,
                        FILE *file);

static inline struct explanation_place made_place(const char *file, unsigned line, unsigned column,
                                                  const char *function, const char *source)
{
	return (struct explanation_place){.file = file ? mem_strdup(file) : NULL,
	                                  .line = line,
	                                  .column = column,
	                                  .function = function ? mem_strdup(function) : NULL,
	                                  .source = source ? mem_strdup(source) : NULL};
}

static inline void made_value(struct explanation_step *step, const char *name, const char *failing,
                              const char *reference, const char *function)
{
	*vec_push(&step->values) =
		(struct explanation_value){.name = name ? mem_strdup(name) : NULL,
	                                   .failing = failing ? mem_strdup(failing) : NULL,
	                                   .reference = reference ? mem_strdup(reference) : NULL,
	                                   .function = function ? mem_strdup(function) : NULL};
}

static inline void made_proof(struct explanation_step *step, uint64_t number, const char *changed,
                              const char *from, const char *to, bool failing)
{
	step->proven = true;
	*vec_push(&step->proofs) = (struct explanation_proof){
		.experiment = number,
		.changed = mem_strdup(changed),
		.from = mem_strdup(from),
		.to = mem_strdup(to),
		.in = failing ? EXPLANATION_FAILING : EXPLANATION_REFERENCE,
		.outcome = failing ? VERDICT_PASS : VERDICT_FAIL};
}

static inline struct explanation_step *made_step(struct explanation *e, enum explanation_kind kind,
                                                 uint64_t time)
{
	struct explanation_step *step = vec_push(&e->steps);

	step->kind = kind;
	step->method = "transitions";
	step->time = time;
	return step;
}

static inline void made_suspect(struct explanation *e, struct explanation_place at, double score,
                                const char *why)
{
	*vec_push(&e->suspects) =
		(struct explanation_suspect){.at = at, .score = score, .why = mem_strdup(why)};
}

/* The input; a transition whose statement is elsewhere; one between two statements that nothing proves. */
static inline void made_first_steps(struct explanation *e)
{
	struct explanation_step *step = made_step(e, EXPLANATION_VALUE, 1);

	made_value(step, "argc", "3", "4", NULL);
	step->at = made_place("src/sample.c", 28, 6, "main", "\tint i = 0;");
	step->when = mem_strdup("main() starts");
	made_proof(step, 4, "argc", "4", "3", false);
	made_proof(step, 5, "argc", "3", "4", true);
	step = made_step(e, EXPLANATION_CALL, 12);
	made_value(step, "a[2]", "0", "7", "main");
	step->at = made_place("src/sample.c", 35, 2, "main", "\tshell_sort(a, argc);");
	step->when = mem_strdup("shell_sort() is called");
	step->transition = true;
	step->cause =
		made_place("src/sample.c", 32, 14, "main", "\tfor (i = 0; i < argc - 1; i++)");
	step->statement = mem_strdup("i < argc - 1 is false");
	made_proof(step, 12, "a[2]", "0", "7", true);
	step = made_step(e, EXPLANATION_VALUE, 20);
	made_value(step, "v", "{0, \"x\"}", "{7, \"y\"}", "shell_sort");
	step->at = made_place("/opt/my lib/sort.h", 18, 13, "shell_sort", NULL);
	step->transition = true;
	step->cause = made_place("/opt/my lib/sort.h", 17, 15, "shell_sort",
	                         "\t/* \xc3\xa9\xf0\x9f\x98\x80 */ v = a[i];");
	step->until = made_place("/opt/my lib/sort.h", 19, 1, "shell_sort", NULL);
	step->statement = mem_strdup("v = a[i]");
	step->until_statement = mem_strdup("return v");
}

/* Many variables, two of one name, one in one run only; the failure. */
static inline void made_last_steps(struct explanation *e)
{
	struct explanation_step *step = made_step(e, EXPLANATION_MEMORY, 30);

	made_value(step, "n", "3", "4", "main");
	made_value(step, "n", "2", "3", "swap");
	made_value(step, "list->next", NULL, "&list[1]", NULL);
	made_value(step, "h", "'x'", NULL, NULL);
	made_value(step, "text",
	           "\"the quick brown fox jumps over the lazy dog, and then over it\"", "\"\"",
	           NULL);
	step->at = made_place("src/sample.c", 8, 0, "swap", NULL);
	step->apart = step->usual = true;
	made_proof(step, 19, "n", "3", "4", true);
	step = made_step(e, EXPLANATION_BRANCH, 31);
	made_value(step, "i < n", "true", "false", "main");
	step->transition = true;
	made_proof(step, 23, "i < n", "true", "false", true);
	step = made_step(e, EXPLANATION_OUTPUT, 38);
	made_value(step, NULL, "0", "7", NULL);
	step->observed = true;
	step->what = mem_strdup("the program prints 0");
	step->at = made_place("src/sample.c", 38, 3, "main", "\t\tprintf(\"%d \", a[i]);");
}

/* A sort that takes one element too many. Caller frees with explanation_deinit(). */
static inline void made_explained(struct explanation *e)
{
	*e = (struct explanation){.verdict = EXPLANATION_EXPLAINED,
	                          .program = mem_strdup("./sample")};
	*vec_push(&e->command) = mem_strdup("./sample");
	*vec_push(&e->command) = mem_strdup("11 14");
	*vec_push(&e->invocation) = mem_strdup("hence");
	*vec_push(&e->invocation) = mem_strdup("explain");
	*vec_push(&e->invocation) = mem_strdup("--pass");
	*vec_push(&e->invocation) = mem_strdup("9 it's 7");
	e->failure.kind = EXPLANATION_WRONG_OUTPUT;
	e->failure.message = mem_strdup("prints a wrong line 1");
	e->failure.at = made_place("src/sample.c", 38, 3, "main", NULL);
	e->reference.kind = RECIPE_INPUT;
	e->reference.text = mem_strdup("./sample 9 8 7 (given with --pass)");
	*vec_push(&e->reference.command) = mem_strdup("./sample");
	*vec_push(&e->reference.command) = mem_strdup("9 8 7");
	made_first_steps(e);
	made_last_steps(e);
	made_suspect(e, made_place("src/sample.c", 32, 14, "main", NULL), 0.9,
	             "a[2] becomes the cause here");
	made_suspect(e, made_place("src/[a]{b}.c", 7, 1, "swap", "\tswap(table[0](1));"), 0.25,
	             "is executed by failing runs only");
	*vec_push(&e->notes) = mem_strdup("at src/sample.c:9 nothing could be isolated");
	e->stats.experiments = 31;
	e->stats.confounded = 2;
	e->stats.seconds = 0.2149;
	e->stats.statements_failing = 38;
	e->stats.statements_reference = 54;
}

/* Nothing is known but that it fails, and one step that has no place. */
static inline void made_bare(struct explanation *e)
{
	struct explanation_step *step;

	*e = (struct explanation){.verdict = EXPLANATION_INCOMPLETE, .program = mem_strdup("./p")};
	e->failure.kind = EXPLANATION_HANG;
	e->hint = mem_strdup("give more time with --time");
	step = made_step(e, EXPLANATION_VALUE, 0);
	made_value(step, "n", "3", "4", NULL);
}

static inline struct explanation_fix *made_fix(struct explanation *e, struct explanation_place at,
                                               const char *before, const char *after, unsigned mark,
                                               unsigned length)
{
	struct explanation_fix *fix = vec_push(&e->fixes);

	*fix = (struct explanation_fix){.at = at,
	                                .edit = mem_strdup("main:1:constant:1"),
	                                .class = "constant",
	                                .before = mem_strdup(before),
	                                .after = mem_strdup(after),
	                                .mark = mark,
	                                .mark_length = length,
	                                .score = 0.5,
	                                .failing = 1,
	                                .failing_of = 1};
	return fix;
}

/* A sort with two plausible edits, of which the first was tried on three passing runs, too. */
static inline void made_fixed(struct explanation *e)
{
	struct explanation_fix *fix;

	made_explained(e);
	fix = made_fix(e,
	               made_place("src/sort.c", 10, 17, "order",
	                          "\t/* \xf0\x9f\x98\x80 */ if (a[j] > a[j + 2])"),
	               "/* \xf0\x9f\x98\x80 */ if (a[j] > a[j + 2])",
	               "/* \xf0\x9f\x98\x80 */ if (a[j] > a[j + 1])", 28, 1);
	fix->passing = fix->passing_of = 3;
	fix->agree = 2;
	fix->changed = 4;
	fix->experiment = 31;
	fix->patch = mem_strdup("--- src/sort.c\n+++ src/sort.c\n");
	fix = made_fix(e, made_place("src/sort.c", 14, 2, "order", "\tswap(a, j);"), "swap(a, j);",
	               "", 0, 0);
	fix->passing = fix->passing_of = 3;
	fix->patch = mem_strdup("--- src/sort.c\n+++ src/sort.c\n");
	fix = made_fix(e, made_place("src/sort.c", 14, 2, "order", "\tswap(a, j);"), "swap(a, j);",
	               "swap(a, i);", 8, 1);
	fix->passing = fix->passing_of = 3;
	fix->no_patch = mem_strdup("the text at that place is not the one that was compiled");
	e->stats.edits = 900;
	e->stats.edits_idle = 480;
	e->stats.edits_run = 412;
	e->stats.edits_plausible = 3;
	e->stats.edit_places = 2;
}

/* The same as a report of `hence fix`. */
static inline void made_only_fixed(struct explanation *e)
{
	made_fixed(e);
	e->fixes_only = true;
	for (uint32_t i = 0; i < e->steps.size; i++)
		explanation_step_deinit(&e->steps.at[i]);
	e->steps.size = 0;
	for (uint32_t i = 0; i < e->suspects.size; i++)
		explanation_suspect_deinit(&e->suspects.at[i]);
	e->suspects.size = 0;
	free(e->reference.text);
	e->reference.text = NULL;
	e->reference.kind = RECIPE_NONE;
	e->stats.seconds = 0.25;
}

/* Caller frees with free(). */
static inline char *made_printed(const struct explanation *e, made_print *print)
{
	const struct explanation_style style = {.width = 80};
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	print(e, &style, file);
	fclose(file);
	return text;
}

/* The text of tests/report/golden/NAME. Caller frees with free(). */
static inline char *made_golden(const char *name)
{
	char *path =
		str_format("%s/tests/report/golden/%s", getenv("SRC") ? getenv("SRC") : ".", name);
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		fail_msg("cannot read %s", path);
	if (getdelim(&text, &size, 0, file) < 0)
		fail_msg("%s is empty", path);
	fclose(file);
	free(path);
	return text;
}

/* What was printed instead, to be looked at where the test was started by hand. */
static inline void made_keep(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static inline void made_assert_golden(const struct explanation *e, made_print *print,
                                      const char *name)
{
	char *text = made_printed(e, print), *golden = made_golden(name);

	if (strcmp(text, golden))
		made_keep(name, text);
	assert_string_equal(text, golden);
	free(text);
	free(golden);
}

#endif
