/* A cause tree for a person: a paragraph for each node, indented by its level. */
#include <string.h>

#include "report/cause_tree.h"
#include "report/cells.h"
#include "report/explanation_layout.h"
#include "report/explanation_words.h"

#define STEP            3u  /* columns that a level is indented by */
#define MOST_STATEMENTS 14u /* of a node that are shown */
#define MOST_PROOFS     3u  /* the same */
#define NARROW          40u /* columns that are left for a node at least */

#define GREEN "\x1b[32m"

struct tree_printer {
	const struct cause_tree *tree;
	const struct explanation_style *style;
	unsigned width;
	uint32_t deepest;
	bool *leads; /* by number: it is proven, or a node below it is */
	FILE *file;
};

static const char *colour(const struct tree_printer *p, const char *code)
{
	return p->style->coloured ? code : "";
}

static void print_line(const struct tree_printer *p, struct str *text, unsigned indent)
{
	explanation_wrap_hanging(str_text(text), indent, indent + 2, p->width, p->file);
	str_deinit(text);
}

/* --- one node --- */

static void print_head(const struct tree_printer *p, const struct cause_node *node, unsigned indent)
{
	struct str text = STR_INIT;

	str_printf(&text, "%s%u.%s %s", colour(p, CELL_BOLD), node->number, colour(p, CELL_PLAIN),
	           colour(p, CELL_CYAN));
	explanation_add_place(&text, &node->at);
	str_add(&text, colour(p, CELL_PLAIN));
	if (node->at.function) {
		str_add(&text, " in ");
		explanation_add_safe(&text, node->at.function);
		str_add(&text, "()");
	}
	if (node->instances > 1)
		str_printf(&text, ", %llu executions", (unsigned long long)node->instances);
	if (node->instance > 1)
		str_printf(&text,
		           node->instances > 1 ? ", the last is number %llu" : ", execution %llu",
		           (unsigned long long)node->instance);
	if (node->proven)
		str_printf(&text, " %sPROVEN%s", colour(p, GREEN), colour(p, CELL_PLAIN));
	print_line(p, &text, indent);
}

/* What was not so, and why that matters. */
static void print_condition(const struct tree_printer *p, const struct cause_node *node,
                            unsigned indent)
{
	struct str text = STR_INIT;

	str_add(&text, colour(p, CELL_BOLD));
	cause_node_add_condition(node, &text);
	str_add(&text, colour(p, CELL_PLAIN));
	if (node->wanted)
		print_line(p, &text, indent);
	str_deinit(&text);
	if (node->level) {
		cause_node_add_why(p->tree, node, &text);
		print_line(p, &text, indent);
	}
}

/* Does it say no more than the line and the condition, which are shown already? */
static bool is_own(const struct cause_node *node, const struct cause_statement *s)
{
	return s->condition && s->at.file && node->at.file && s->at.line == node->at.line &&
	       !strcmp(s->at.file, node->at.file);
}

static void print_statement(const struct tree_printer *p, const struct cause_statement *s,
                            unsigned indent)
{
	struct explanation_place at = s->at;
	struct str text = STR_INIT;

	at.column = 0;
	explanation_add_place(&text, &at);
	str_add(&text, "  ");
	explanation_add_safe(&text, s->text ? s->text : "");
	if (s->count > 1)
		str_printf(&text, " x%llu", (unsigned long long)s->count);
	cell_cut(&text, p->width > indent + NARROW ? p->width - indent : NARROW);
	fprintf(p->file, "%*s%s\n", (int)indent, "", str_text(&text));
	str_deinit(&text);
}

/* In the order of time; of many the first and the last. */
static void print_statements(const struct tree_printer *p, const struct cause_node *node,
                             unsigned indent)
{
	uint32_t count = 0, number = 0;

	for (uint32_t i = 0; i < node->statements.size; i++)
		count += !is_own(node, &node->statements.at[i]);
	if (count)
		fprintf(p->file, "%*smade so by\n", (int)indent, "");
	for (uint32_t i = 0; i < node->statements.size; i++) {
		if (is_own(node, &node->statements.at[i]))
			continue;
		number++;
		if (count > MOST_STATEMENTS && number == MOST_STATEMENTS / 2)
			fprintf(p->file, "%*s... %u more\n", (int)indent + 2, "",
			        count - MOST_STATEMENTS + 1);
		else if (count <= MOST_STATEMENTS || number < MOST_STATEMENTS / 2 ||
		         number > count - MOST_STATEMENTS / 2)
			print_statement(p, &node->statements.at[i], indent + 2);
	}
}

/* --- experiments --- */

static bool is_switch(const struct cause_proof *proof)
{
	return proof->to && strcmp(proof->to, "true") && strcmp(proof->to, "false");
}

void cause_proof_add_change(const struct cause_proof *proof, struct str *out)
{
	bool branch = !strcmp(proof->kind, "branch");

	str_add(out, branch && is_switch(proof) ? "with switch (" : "with ");
	explanation_add_safe(out, proof->changed ? proof->changed : "the condition");
	if (branch && is_switch(proof))
		str_add(out, ")");
	if (!proof->to)
		return;
	str_add(out, !branch ? " = " : is_switch(proof) ? " going to " : " ");
	explanation_add_safe(out, proof->to);
}

/* 'with class = 2 after triangle.c:14 the run passes [experiment 12]'. */
static void add_proof(const struct cause_proof *proof, struct str *out)
{
	bool branch = !strcmp(proof->kind, "branch");
	struct explanation_place at = proof->at;

	at.column = 0;
	cause_proof_add_change(proof, out);
	if (at.file) {
		str_add(out, branch ? " at " : " after ");
		explanation_add_place(out, &at);
	}
	if (proof->instance > 1)
		str_printf(out, ", execution %llu,", (unsigned long long)proof->instance);
	str_printf(out, " the run passes [experiment %llu]", (unsigned long long)proof->experiment);
}

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Of several values of one variable that would have been right, the first is told. */
static bool is_told(const struct cause_node *node, uint32_t number)
{
	const struct cause_proof *proof = &node->proofs.at[number];

	for (uint32_t i = 0; i < number; i++) {
		const struct cause_proof *other = &node->proofs.at[i];

		if (other->counts && same_text(other->changed, proof->changed) &&
		    other->at.line == proof->at.line && other->instance == proof->instance)
			return false;
	}
	return proof->counts;
}

static void print_proofs(const struct tree_printer *p, const struct cause_node *node,
                         unsigned indent)
{
	struct str text = STR_INIT;
	uint32_t count = 0;

	if (!node->proven)
		return;
	str_printf(&text, "%sproven: %s", colour(p, GREEN), colour(p, CELL_PLAIN));
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		if (!is_told(node, i) || count++ >= MOST_PROOFS)
			continue;
		str_add(&text, count > 1 ? "; " : "");
		add_proof(&node->proofs.at[i], &text);
	}
	if (count > MOST_PROOFS)
		str_printf(&text, "; and %u more", count - MOST_PROOFS);
	print_line(p, &text, indent);
}

/* --- what is not known, and where else to look --- */

static void print_doubts(const struct tree_printer *p, const struct cause_node *node,
                         unsigned indent)
{
	struct str text = STR_INIT;

	if (!strcmp(node->how, "unknown"))
		str_add(&text, "the solver gave up: some of these statements may not matter");
	else if (node->limited)
		str_add(&text, "not all that it was made of could be followed");
	if (text.length)
		print_line(p, &text, indent);
	for (uint32_t i = 0; i < node->again.size; i++)
		str_printf(&text, "%s%u", i ? ", " : "see also ", node->again.at[i]);
	if (text.length)
		print_line(p, &text, indent);
}

static void print_node(const struct tree_printer *p, const struct cause_node *node, unsigned indent,
                       bool source)
{
	unsigned inner = indent + 3;

	print_head(p, node, indent);
	if (node->at.source && source)
		explanation_print_source(&node->at, inner + 2, p->width, colour(p, GREEN),
		                         colour(p, CELL_PLAIN), p->file);
	print_condition(p, node, inner);
	print_statements(p, node, inner);
	print_proofs(p, node, inner);
	print_doubts(p, node, inner);
}

/* --- the tree --- */

/* Deep levels stay readable. */
static unsigned indent_of(const struct tree_printer *p, uint32_t level)
{
	unsigned most = p->width > NARROW ? p->width - NARROW : 0;

	return level * STEP < most ? level * STEP : most;
}

static bool is_shown(const struct tree_printer *p, const struct cause_node *node)
{
	return node->level <= p->deepest || p->leads[node->number];
}

static void print_folded(const struct tree_printer *p, const struct cause_node *node)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < node->children.size; i++) {
		const struct cause_node *child = cause_tree_node(p->tree, node->children.at[i]);

		if (!is_shown(p, child))
			count += 1 + cause_tree_below(p->tree, child->number);
	}
	if (count)
		fprintf(p->file, "\n%*s... %u more cause%s below %u\n",
		        (int)indent_of(p, node->level + 1), "", count, count == 1 ? "" : "s",
		        node->number);
}

static void print_subtree(const struct tree_printer *p, const struct cause_node *node)
{
	fputc('\n', p->file);
	print_node(p, node, indent_of(p, node->level), true);
	for (uint32_t i = 0; i < node->children.size; i++) {
		const struct cause_node *child = cause_tree_node(p->tree, node->children.at[i]);

		if (is_shown(p, child))
			print_subtree(p, child);
	}
	print_folded(p, node);
}

/* --- around it --- */

static void print_failure(const struct tree_printer *p)
{
	struct str text = STR_INIT;

	str_add(&text, colour(p, CELL_BOLD));
	explanation_add_safe(&text, p->tree->program ? p->tree->program : "the program");
	str_add(&text, ": ");
	explanation_add_safe(&text, p->tree->what ? p->tree->what : "it fails");
	str_add(&text, colour(p, CELL_PLAIN));
	print_line(p, &text, 0);
}

static void add_number(struct str *out, uint64_t number, const char *what)
{
	str_printf(out, "%llu %s%s", (unsigned long long)number, what, number == 1 ? "" : "s");
}

static void print_stats(const struct tree_printer *p)
{
	const struct cause_tree *t = p->tree;
	struct str text = STR_INIT;

	add_number(&text, t->nodes.size, "cause");
	str_printf(&text, ", %llu proven; ", (unsigned long long)t->stats.proven);
	add_number(&text, t->stats.inside, "instance");
	str_printf(&text, " of %llu in the tree (%.2f %%), ",
	           (unsigned long long)t->stats.instances,
	           t->stats.instances ? 100.0 * (double)t->stats.inside / (double)t->stats.instances
	                              : 0.0);
	add_number(&text, t->stats.lines, "line");
	str_add(&text, "; ");
	add_number(&text, t->stats.solver_calls, "solver call");
	if (t->stats.unknown)
		str_printf(&text, " (%llu unanswered)", (unsigned long long)t->stats.unknown);
	str_add(&text, ", ");
	add_number(&text, t->stats.experiments, "experiment");
	str_printf(&text, ", %.2f seconds", t->stats.seconds);
	fputc('\n', p->file);
	explanation_wrap(str_text(&text), 0, p->width, p->file);
	str_deinit(&text);
}

static void print_notes(const struct tree_printer *p)
{
	if (!p->tree->complete || p->tree->notes.size)
		fputc('\n', p->file);
	if (!p->tree->complete)
		fputs("the tree is not complete\n", p->file);
	for (uint32_t i = 0; i < p->tree->notes.size; i++) {
		struct str text = STR_INIT;

		str_add(&text, "note: ");
		explanation_add_safe(&text, p->tree->notes.at[i]);
		print_line(p, &text, 0);
	}
}

/* --- the whole --- */

static void begin(struct tree_printer *p)
{
	const struct cause_tree *t = p->tree;

	p->width = p->style->width ? p->style->width : 80;
	p->leads = mem_alloc(t->nodes.size + 1);
	for (uint32_t i = t->nodes.size; i > 0; i--) {
		const struct cause_node *node = &t->nodes.at[i - 1];

		p->leads[i] |= node->proven;
		p->leads[node->parent] |= p->leads[i];
	}
}

void cause_tree_print_text(const struct cause_tree *tree, const struct explanation_style *style,
                           uint32_t deepest, FILE *file)
{
	struct tree_printer p = {.tree = tree, .style = style, .deepest = deepest, .file = file};

	begin(&p);
	print_failure(&p);
	if (tree->nodes.size)
		print_subtree(&p, &tree->nodes.at[0]);
	print_stats(&p);
	print_notes(&p);
	free(p.leads);
}

void cause_node_print_text(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file)
{
	struct tree_printer p = {.tree = tree, .style = style, .file = file};

	begin(&p);
	print_node(&p, cause_tree_node(tree, number), 0, false);
	free(p.leads);
}

void cause_tree_print_path(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file)
{
	struct tree_printer p = {.tree = tree, .style = style, .file = file};
	struct cause_path path;

	begin(&p);
	print_failure(&p);
	cause_tree_path(tree, number, &path);
	for (uint32_t i = 0; i < path.numbers.size; i++) {
		fputc('\n', file);
		print_node(&p, cause_tree_node(tree, path.numbers.at[i]), 0, true);
	}
	vec_deinit(&path.numbers);
	free(p.leads);
}
