/* A report that has something everywhere, printed to memory and read again. */
#ifndef HENCE_TESTS_REPORT_MADE_H
#define HENCE_TESTS_REPORT_MADE_H

#include <stdio.h>
#include <string.h>

#include "cause_tree_made.h"
#include "report/saved.h"

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
		.kind = EXPLANATION_VALUE,
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
	                                                      .in = EXPLANATION_FAILING,
	                                                      .outcome = VERDICT_PASS,
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
	suspect->why = copy("introduces the wrong value");
	*vec_push(&suspect->evidence) =
		(struct explanation_evidence){.kind_word = "transition", .weight = 0.5};
	*vec_push(&suspect->evidence) =
		(struct explanation_evidence){.kind_word = "usual", .weight = -0.25};
	*vec_push(&e->fixes) = (struct explanation_fix){
		.at = made_place("a.c", 2, "\ta = 1;"),
		.edit = copy("main:2:constant:+1"),
		.class = explanation_fix_classes[1],
		.before = copy("a = 1; /* \xe4 */"),
		.after = copy("\xff a = 2; /* \xe4 */"),
		.mark = 6,
		.mark_length = 1,
		.score = 0.51249,
		.failing = 1,
		.failing_of = 1,
		.passing = 2,
		.passing_of = 3,
		.agree = 4,
		.changed = 5,
		.experiment = 6,
		.patch = copy("--- a.c\n+++ a.c\n@@ -2 +2 @@\n-\ta = 1;\n"),
	};
	*vec_push(&e->fixes) = (struct explanation_fix){.at = made_place("a.c", 9, NULL),
	                                                .edit = copy("main:9:statement:delete"),
	                                                .class = explanation_fix_classes[6],
	                                                .before = copy("*p = 1;"),
	                                                .after = copy(""),
	                                                .score = 0.25,
	                                                .failing = 1,
	                                                .failing_of = 1,
	                                                .passing_of = 3,
	                                                .no_patch = copy("it comes from a macro")};
	point->at = made_place("b%\xe4.c", 1, "{");
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

	*e = (struct explanation){.verdict = EXPLANATION_EXPLAINED, .program = copy("./a")};
	*vec_push(&e->command) = copy("./a");
	*vec_push(&e->invocation) = copy("hence");
	*vec_push(&e->invocation) = copy("explain");
	e->failure.kind = EXPLANATION_CRASH;
	e->failure.at = made_place("a.c", 9, "\t*p = 1;");
	e->failure.message = copy("dies of SIGSEGV");
	e->reference.kind = RECIPE_INPUT;
	e->reference.text = copy("./a 1 (given)");
	*vec_push(&e->reference.command) = copy("./a");
	e->reference.stdin_file = copy("in");
	make_step(e);
	last = vec_push(&e->steps);
	*last = (struct explanation_step){.kind = EXPLANATION_CRASH,
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
	e->stats.decodes = 5;
	e->stats.resumed = 6;
	e->stats.walks = 7;
	e->stats.edits = 40;
	e->stats.edits_idle = 20;
	e->stats.edits_run = 12;
	e->stats.edits_plausible = 3;
	e->stats.edit_places = 2;
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

#endif
