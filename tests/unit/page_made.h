/*
 * Explanations made by hand, with all that an explanation can have: for tests that print them as a page.
 *
 *	rich     a list whose last item is lost; memory, sources, suspects, a tree, experiments
 *	changed  the same, with changes of the code that make it pass
 *	fixes    such changes alone
 *	hostile  `changed` with each text of the program trying to become part of the page
 *	long     many steps in a long source, and memory with many boxes
 *	deep     a tree of one branch, deeper than browsers nest
 *	bare     nothing that need not be there
 */
#ifndef HENCE_TESTS_PAGE_MADE_H
#define HENCE_TESTS_PAGE_MADE_H

#include <stdio.h>
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation.h"

static const char *const rich_source[] = {
	"#include <stdio.h>",
	"#include <stdlib.h>",
	"",
	"/* A list of goods; the last one may not be lost. */",
	"struct item {",
	"\tstruct item *next;",
	"\tint count;",
	"\tconst char *name;",
	"};",
	"",
	"static struct item *list;",
	"",
	"static void add(const char *name, int count)",
	"{",
	"\tstruct item *item = calloc(1, sizeof(*item));",
	"",
	"\titem->name = name;",
	"\titem->count = count;",
	"\titem->next = list;",
	"\tlist = item;",
	"}",
	"",
	"static int total(int argc)",
	"{",
	"\tint sum = 0, seen = 0;",
	"",
	"\tfor (struct item *i = list; i && seen < argc - 1; i = i->next, seen++)",
	"\t\tsum += i->count;",
	"\treturn sum;",
	"}",
	"",
	"int main(int argc, char **argv)",
	"{",
	"\tadd(\"apples\", 3);",
	"\tadd(\"pears\", 4);",
	"\tadd(\"n\303\274sse\", 40);",
	"\tprintf(\"%d\\n\", total(argc));",
	"\treturn 0;",
	"}",
};

#define RICH_LINES (sizeof(rich_source) / sizeof(*rich_source))

static struct explanation_place rich_place(unsigned line, unsigned column, const char *function)
{
	return (struct explanation_place){
		.file = mem_strdup("stock.c"),
		.line = line,
		.column = column,
		.function = mem_strdup(function),
		.source = mem_strdup(line <= RICH_LINES ? rich_source[line - 1] : "")};
}

static void rich_value(struct explanation_step *step, const char *name, const char *failing,
                       const char *reference)
{
	*vec_push(&step->values) = (struct explanation_value){
		name ? mem_strdup(name) : NULL, failing ? mem_strdup(failing) : NULL,
		reference ? mem_strdup(reference) : NULL, NULL};
}

static void rich_proof(struct explanation_step *step, uint64_t number, bool failing,
                       enum verdict outcome)
{
	const struct explanation_value *v = &step->values.at[0];

	*vec_push(&step->proofs) = (struct explanation_proof){
		.experiment = number,
		.changed = mem_strdup(v->name),
		.from = mem_strdup(failing ? v->failing : v->reference),
		.to = mem_strdup(failing ? v->reference : v->failing),
		.in = failing ? EXPLANATION_FAILING : EXPLANATION_REFERENCE,
		.outcome = outcome,
		.at = rich_place(step->at.line, step->at.column, step->at.function),
		.instance = step->instance};
}

static struct explanation_step *rich_step(struct explanation *e, unsigned line, unsigned column,
                                          const char *function, const char *name,
                                          const char *failing, const char *reference)
{
	struct explanation_step *step = vec_push(&e->steps);

	step->kind = EXPLANATION_VALUE;
	step->method = "transitions";
	step->at = rich_place(line, column, function);
	step->instance = step->reference_instance = 1;
	rich_value(step, name, failing, reference);
	return step;
}

/* --- memory --- */

static struct explanation_box *made_box(struct explanation_memory *m, const char *name,
                                        const char *type, const char *where)
{
	struct explanation_box *box = vec_push(&m->boxes);

	box->name = mem_strdup(name);
	box->type = type ? mem_strdup(type) : NULL;
	box->where = where ? mem_strdup(where) : NULL;
	return box;
}

static struct explanation_cell *made_cell(struct explanation_box *box, const char *name,
                                          const char *value, const char *reference, uint32_t target)
{
	struct explanation_cell *cell = vec_push(&box->cells);

	*cell = (struct explanation_cell){.name = name ? mem_strdup(name) : NULL,
	                                  .value = value ? mem_strdup(value) : NULL,
	                                  .reference = reference ? mem_strdup(reference) : NULL,
	                                  .target = target};
	return cell;
}

/* `sum` and `seen` of total(), and the list. */
static void rich_memory(struct explanation_memory *m, const char *argc, const char *sum,
                        const char *other)
{
	static const char *const items[][3] = {{"*list", "40", "\"n\303\274sse\""},
	                                       {"*list->next", "4", "\"pears\""},
	                                       {"*list->next->next", "3", "\"apples\""}};

	made_cell(made_box(m, "argc", "int", "total()"), NULL, argc, "4", 0)->decides = true;
	made_cell(made_box(m, "sum", "int", "total()"), NULL, sum, other, 0)->decides = !!other;
	made_cell(made_box(m, "i", "struct item *", "total()"), NULL, NULL, NULL, 5);
	for (unsigned i = 0; i < 3; i++) {
		struct explanation_box *box;

		if (!i)
			made_cell(made_box(m, "list", "struct item *", "global"), NULL, NULL, NULL,
			          5);
		box = made_box(m, items[i][0], "struct item", "heap");
		made_cell(box, "next", i == 2 ? "NULL" : NULL, NULL, i == 2 ? 0 : 6 + i);
		made_cell(box, "count", items[i][1], NULL, 0);
		made_cell(box, "name", items[i][2], NULL, 0);
	}
}

/* --- steps --- */

static void rich_steps(struct explanation *e)
{
	struct explanation_step *step = rich_step(e, 37, 17, "main", "argc", "3", "4");

	step->when = mem_strdup("total() is called");
	step->proven = true;
	rich_proof(step, 4, false, VERDICT_FAIL);
	rich_proof(step, 5, true, VERDICT_PASS);
	rich_memory(&step->memory, "3", "0", NULL);
	step = rich_step(e, 27, 30, "total", "seen < argc - 1", "false", "true");
	step->kind = EXPLANATION_BRANCH;
	step->instance = 3;
	step->transition = true;
	step->cause = rich_place(27, 35, "total");
	step->statement = mem_strdup("seen < argc - 1 is false");
	step->proven = true;
	rich_proof(step, 9, true, VERDICT_PASS);
	rich_memory(&step->memory, "3", "44", NULL);
	step = rich_step(e, 29, 2, "total", "sum", "44", "47");
	step->transition = true;
	step->cause = rich_place(28, 3, "total");
	step->statement = mem_strdup("sum += i->count");
	step->proven = true;
	step->also = "compare";
	rich_value(step, "i", "(*list)->next->next", NULL);
	rich_proof(step, 12, true, VERDICT_PASS);
	rich_proof(step, 13, false, VERDICT_UNRESOLVED);
	step->proofs.at[1].guarded = true;
	rich_memory(&step->memory, "3", "44", "47");
	step = rich_step(e, 37, 2, "main", "the result of total()", "44", "47");
	step->kind = EXPLANATION_CALL;
	step = rich_step(e, 37, 2, "main", NULL, "44", "47");
	step->kind = EXPLANATION_OUTPUT;
	step->observed = true;
	step->what = mem_strdup("the program prints 44");
}

/* In another file, of which nothing else is known. */
static void rich_other_file(struct explanation *e)
{
	struct explanation_suspect *s = vec_push(&e->suspects);

	s->at = (struct explanation_place){.file = mem_strdup("goods.h"),
	                                   .line = 12,
	                                   .column = 9,
	                                   .source = mem_strdup("#define GOODS 3 /* kinds */")};
	s->score = 0.1;
}

static void rich_suspect(struct explanation *e, unsigned line, unsigned column, double score,
                         const char *why)
{
	struct explanation_suspect *s = vec_push(&e->suspects);

	*s = (struct explanation_suspect){
		.at = rich_place(line, column, "total"), .score = score, .why = mem_strdup(why)};
	*vec_push(&s->evidence) =
		(struct explanation_evidence){.kind_word = "transition", .weight = score * 0.7};
	*vec_push(&s->evidence) =
		(struct explanation_evidence){.kind_word = "tree", .weight = score * 0.3};
}

/* --- the tree --- */

static struct cause_node *rich_node(struct cause_tree *t, uint32_t parent, enum cause_reason reason,
                                    unsigned line, const char *wanted, const char *numbers)
{
	struct cause_node *node = vec_push(&t->nodes);

	*node = (struct cause_node){.number = t->nodes.size,
	                            .parent = parent,
	                            .level = parent ? t->nodes.at[parent - 1].level + 1 : 0,
	                            .reason = reason,
	                            .at = rich_place(line, 2, "total"),
	                            .instances = 1,
	                            .wanted = wanted ? mem_strdup(wanted) : NULL,
	                            .numbers = numbers ? mem_strdup(numbers) : NULL,
	                            .how = CAUSE_FOLDED,
	                            .minimal = true,
	                            .expanded = true};
	*vec_push(&node->statements) =
		(struct cause_statement){.at = rich_place(28, 3, "total"),
	                                 .text = mem_strdup("sum += i->count"),
	                                 .count = 2,
	                                 .time = 3};
	if (parent) {
		node->via = rich_place(29, 2, "total");
		*vec_push(&t->nodes.at[parent - 1].children) = node->number;
	}
	return node;
}

static void rich_cause_proof(struct cause_node *node, uint64_t number, enum cause_change kind,
                             const char *changed, const char *to, bool counts)
{
	node->tried = true;
	node->proven |= counts;
	*vec_push(&node->proofs) =
		(struct cause_proof){.experiment = number,
	                             .at = rich_place(27, 35, "total"),
	                             .instance = 3,
	                             .changed = mem_strdup(changed),
	                             .from = mem_strdup("false"),
	                             .to = mem_strdup(to),
	                             .kind = kind,
	                             .outcome = counts ? VERDICT_PASS : VERDICT_FAIL,
	                             .counts = counts};
}

static void rich_tree(struct explanation *e)
{
	struct cause_tree *t = e->tree = mem_alloc(sizeof(*t));
	struct cause_node *node;

	t->program = mem_strdup("./stock");
	t->failure = EXPLANATION_WRONG_OUTPUT;
	t->what = mem_strdup("44 is printed");
	rich_node(t, 0, CAUSE_FAILURE, 37, "total(argc) == 47", "44 == 47");
	rich_node(t, 1, CAUSE_DIRECT, 28, "sum == 47", "44 == 47");
	node = rich_node(t, 1, CAUSE_INDIRECT, 27, "i != NULL", NULL);
	rich_cause_proof(node, 31, CAUSE_VALUE, "i", "NULL", false);
	*vec_push(&node->again) = 4;
	node = rich_node(t, 2, CAUSE_ADDRESS, 27, "seen < argc - 1", "2 < 2");
	rich_cause_proof(node, 30, CAUSE_BRANCH, "seen < argc - 1", "true", true);
	node = rich_node(t, 3, CAUSE_MISSED, 20, "list == item", NULL);
	node->how = CAUSE_UNKNOWN;
	node->expanded = false;
	t->stats.nodes = 5;
	t->stats.proven = 1;
}

/* --- all of it --- */

static void rich_lines(struct explanation *e)
{
	struct explanation_source *source = vec_push(&e->sources);

	source->file = mem_strdup("stock.c");
	source->first = 1;
	for (size_t i = 0; i < RICH_LINES; i++)
		*vec_push(&source->lines) = mem_strdup(rich_source[i]);
}

static void rich_frame(struct explanation *e)
{
	*e = (struct explanation){.verdict = EXPLANATION_EXPLAINED,
	                          .program = mem_strdup("./stock")};
	*vec_push(&e->command) = mem_strdup("./stock");
	*vec_push(&e->command) = mem_strdup("two words");
	e->failure.kind = EXPLANATION_WRONG_OUTPUT;
	e->failure.message = mem_strdup("prints a wrong line 1: 44 (not 47)");
	e->failure.at = rich_place(37, 2, "main");
	e->reference.kind = RECIPE_INPUT;
	e->reference.text = mem_strdup("./stock a b c (given with --pass)");
	*vec_push(&e->notes) = mem_strdup("one note");
	e->hint = mem_strdup("give --time 60 for a longer search");
	e->stats.experiments = 31;
	e->stats.confounded = 2;
	e->stats.runs = 1;
	e->stats.seconds = 0.2149;
	e->stats.statements_failing = 38;
	e->stats.statements_reference = 54;
}

/* Caller frees with explanation_deinit(), as of the others. */
static void made_rich(struct explanation *e)
{
	struct explanation_point *point;

	rich_frame(e);
	rich_steps(e);
	rich_lines(e);
	rich_suspect(e, 27, 35, 0.93, "seen < argc - 1 becomes the cause here");
	rich_suspect(e, 28, 3, 0.41, "sum gets its value here");
	rich_other_file(e);
	rich_tree(e);
	point = vec_push(&e->points);
	point->at = rich_place(27, 35, "total");
	point->failing_time = 12;
	*vec_push(&point->values) = (struct explanation_value){mem_strdup("argc"), mem_strdup("3"),
	                                                       mem_strdup("4"), NULL};
}

/* Changes of the code with which it passes. */
static void rich_fixes(struct explanation *e)
{
	static const struct {
		unsigned line, column;
		const char *after;
		unsigned mark, length;
	} fixes[] = {
		{27, 42, "for (struct item *i = list; i && seen < argc; i = i->next, seen++)", 40,
	         4},
		{28, 7, "sum += i->count + 1;", 16, 3},
		{25, 16, "int sum = 3, seen = 0;", 10, 1},
	};

	for (size_t i = 0; i < sizeof(fixes) / sizeof(*fixes); i++) {
		struct explanation_fix *fix = vec_push(&e->fixes);

		*fix = (struct explanation_fix){
			.at = rich_place(fixes[i].line, fixes[i].column, "total"),
			.edit = mem_strdup("total:27"),
			.class = "operand",
			.after = mem_strdup(fixes[i].after),
			.mark = fixes[i].mark,
			.mark_length = fixes[i].length,
			.score = 0.5,
			.failing = 1,
			.failing_of = 1,
			.passing = 3,
			.passing_of = 3,
			.agree = 2 * !i,
			.experiment = 40 + i};
		fix->before = mem_strdup(fix->at.source + strspn(fix->at.source, "\t"));
	}
	e->fixes.at[2].no_patch = mem_strdup("the source was changed since");
	e->stats.edits = 900;
	e->stats.edits_idle = 480;
	e->stats.edits_run = 412;
	e->stats.edits_plausible = 3;
	e->stats.edit_places = 3;
}

static void made_changed(struct explanation *e)
{
	made_rich(e);
	rich_fixes(e);
}

/* The report of `hence fix`. */
static void made_fixes(struct explanation *e)
{
	rich_frame(e);
	rich_lines(e);
	free(e->reference.text);
	e->reference.text = NULL;
	e->reference.kind = RECIPE_NONE;
	rich_fixes(e);
	e->fixes.at[0].passing = e->fixes.at[0].passing_of = 0;
	e->stats.edit_places = 7;
	e->fixes_only = true;
}

static void made_deep(struct explanation *e)
{
	rich_frame(e);
	e->tree = mem_alloc(sizeof(*e->tree));
	for (uint32_t i = 0; i < 300; i++)
		rich_node(e->tree, i, i ? CAUSE_DIRECT : CAUSE_FAILURE, 28, "sum == 47", NULL);
	rich_cause_proof(&e->tree->nodes.at[299], 1, CAUSE_VALUE, "sum", "47", true);
}

static void made_bare(struct explanation *e)
{
	*e = (struct explanation){.verdict = EXPLANATION_UNPROVEN};
	e->failure.kind = EXPLANATION_CRASH;
	e->reference.kind = RECIPE_NONE;
}

/* --- hostile --- */

#define HOSTILE                                                                                    \
	"\"'><img src=x onerror=pwned=1><script>window.pwned=1</script></style></title>"           \
	"<!--&lt;]]>\x1b[31m\a\r\n\t\x7f\xff\xc0\xaf\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8"          \
	"\xef\xbb\xbf\xf0\x9f\xa6\x8a javascript:window.pwned=1"

static void make_hostile(char **text)
{
	char *old = *text;

	if (!old)
		return;
	*text = str_format("%.8s" HOSTILE, old);
	free(old);
}

static void hostile_place(struct explanation_place *place)
{
	make_hostile(&place->file);
	make_hostile(&place->function);
	make_hostile(&place->source);
}

static void hostile_memory(struct explanation_memory *m)
{
	for (uint32_t i = 0; i < m->boxes.size; i++) {
		make_hostile(&m->boxes.at[i].name);
		make_hostile(&m->boxes.at[i].type);
		make_hostile(&m->boxes.at[i].where);
		for (uint32_t j = 0; j < m->boxes.at[i].cells.size; j++) {
			make_hostile(&m->boxes.at[i].cells.at[j].name);
			make_hostile(&m->boxes.at[i].cells.at[j].value);
			make_hostile(&m->boxes.at[i].cells.at[j].reference);
		}
	}
}

static void hostile_step(struct explanation_step *step)
{
	hostile_place(&step->at);
	hostile_place(&step->cause);
	make_hostile(&step->what);
	make_hostile(&step->when);
	make_hostile(&step->statement);
	step->kind = EXPLANATION_NO_KIND;
	step->kind_word = step->method = step->also = HOSTILE;
	for (uint32_t i = 0; i < step->values.size; i++) {
		make_hostile(&step->values.at[i].name);
		make_hostile(&step->values.at[i].failing);
		make_hostile(&step->values.at[i].reference);
		step->values.at[i].function = mem_strdup(HOSTILE);
	}
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		make_hostile(&step->proofs.at[i].changed);
		make_hostile(&step->proofs.at[i].from);
		make_hostile(&step->proofs.at[i].to);
		hostile_place(&step->proofs.at[i].at);
	}
	hostile_memory(&step->memory);
}

static void hostile_tree(struct cause_tree *t)
{
	make_hostile(&t->what);
	*vec_push(&t->notes) = mem_strdup(HOSTILE);
	for (uint32_t i = 0; i < t->nodes.size; i++) {
		struct cause_node *node = &t->nodes.at[i];

		hostile_place(&node->at);
		hostile_place(&node->via);
		make_hostile(&node->wanted);
		make_hostile(&node->numbers);
		for (uint32_t j = 0; j < node->statements.size; j++)
			make_hostile(&node->statements.at[j].text);
		for (uint32_t j = 0; j < node->proofs.size; j++) {
			make_hostile(&node->proofs.at[j].changed);
			make_hostile(&node->proofs.at[j].from);
			make_hostile(&node->proofs.at[j].to);
		}
	}
}

static void made_hostile(struct explanation *e)
{
	made_changed(e);
	for (uint32_t i = 0; i < e->fixes.size; i++) {
		hostile_place(&e->fixes.at[i].at);
		make_hostile(&e->fixes.at[i].before);
		make_hostile(&e->fixes.at[i].after);
		make_hostile(&e->fixes.at[i].no_patch);
		e->fixes.at[i].mark = 5;
		e->fixes.at[i].mark_length = 20;
		e->fixes.at[i].class = HOSTILE;
	}
	make_hostile(&e->program);
	make_hostile(&e->command.at[1]);
	make_hostile(&e->failure.message);
	hostile_place(&e->failure.at);
	make_hostile(&e->reference.text);
	make_hostile(&e->notes.at[0]);
	make_hostile(&e->hint);
	e->failure.kind = EXPLANATION_NO_KIND;
	e->failure.kind_word = HOSTILE;
	for (uint32_t i = 0; i < e->steps.size; i++)
		hostile_step(&e->steps.at[i]);
	for (uint32_t i = 0; i < e->suspects.size; i++) {
		hostile_place(&e->suspects.at[i].at);
		make_hostile(&e->suspects.at[i].why);
		if (e->suspects.at[i].evidence.size)
			e->suspects.at[i].evidence.at[0].kind_word = HOSTILE;
	}
	make_hostile(&e->sources.at[0].file);
	for (uint32_t i = 0; i < e->sources.at[0].lines.size; i++)
		make_hostile(&e->sources.at[0].lines.at[i]);
	hostile_place(&e->points.at[0].at);
	make_hostile(&e->points.at[0].values.at[0].name);
	hostile_tree(e->tree);
}

/* --- long --- */

/* A ring of boxes that know the one before, and a table that points to some of them. */
static void long_memory(struct explanation_memory *m, uint32_t count, uint32_t step)
{
	struct explanation_box *table = made_box(m, "table", "struct node *[8]", "global");
	char text[64];

	for (uint32_t i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "[%u]", i);
		made_cell(table, text, i % 3 ? "NULL" : NULL, NULL, i % 3 ? 0 : 2 + i);
	}
	table->more = 120;
	for (uint32_t i = 0; i < count; i++) {
		struct explanation_box *box;

		snprintf(text, sizeof(text), "*table[%u]", i);
		box = made_box(m, text, "struct node", "heap");
		made_cell(box, "next", NULL, NULL, 2 + (i + 1) % count);
		made_cell(box, "previous", NULL, NULL, 2 + (i + count - 1) % count);
		snprintf(text, sizeof(text), "%u", i * 7 + (i == step % count ? step : 0));
		made_cell(box, "key", text, i == step % count ? "0" : NULL, 0)->decides =
			i == step % count;
	}
	m->more = 17;
}

static void made_long(struct explanation *e)
{
	char text[128];

	rich_frame(e);
	rich_lines(e);
	for (unsigned i = 0; i < 400; i++) {
		snprintf(text, sizeof(text), "\tvalue[%u] = value[%u] + step(%u); /* line %zu */",
		         i, i / 2, i * 3, RICH_LINES + 1 + i);
		*vec_push(&e->sources.at[0].lines) = mem_strdup(text);
	}
	for (unsigned i = 0; i < 60; i++) {
		struct explanation_step *step = rich_step(e, 28, 3, "total", "value", "1", "2");

		snprintf(text, sizeof(text), "value[%u]", i);
		free(step->values.at[0].name);
		step->values.at[0].name = mem_strdup(text);
		step->at.line = i < 20 ? 28 : (unsigned)RICH_LINES + i * 6;
		step->instance = i;
		step->transition = i % 5 == 0;
		step->proven = i % 7 != 3;
		rich_proof(step, 100 + i, i % 2, i % 2 ? VERDICT_PASS : VERDICT_FAIL);
		if (i % 3 == 0)
			long_memory(&step->memory, 7, i);
	}
}

#endif
