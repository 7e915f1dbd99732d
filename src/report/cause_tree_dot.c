/* A cause tree for graphviz: see cause_tree.h. */
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "report/graph.h"

/* Cut and escaped: a label is no place for a page. */
#define MOST_LINES 6u

static void add_label_line(struct str *out, const char *text)
{
	graph_add_escaped(out, text);
	str_add(out, "\\l");
}

static void add_statements(struct str *out, const struct cause_node *node)
{
	uint32_t shown =
		node->statements.size > MOST_LINES ? MOST_LINES - 1 : node->statements.size;

	for (uint32_t i = 0; i < shown; i++) {
		const struct cause_statement *s = &node->statements.at[i];
		struct str text = STR_INIT;

		str_printf(&text, "%u: %s", s->at.line, s->text ? s->text : "");
		add_label_line(out, str_text(&text));
		str_deinit(&text);
	}
	if (shown < node->statements.size)
		str_printf(out, "... %u more\\l", node->statements.size - shown);
}

static void print_node(const struct cause_node *node, FILE *file)
{
	struct str label = STR_INIT, text = STR_INIT;

	str_printf(&text, "%u. ", node->number);
	explanation_add_place(&text, &node->at);
	add_label_line(&label, str_text(&text));
	text.length = 0;
	cause_node_add_condition(node, &text);
	if (text.length)
		add_label_line(&label, str_text(&text));
	add_statements(&label, node);
	fprintf(file, "\tn%u [label=\"%s\"%s];\n", node->number, str_text(&label),
	        node->proven   ? ", color=green, penwidth=2"
	        : !node->level ? ", color=red"
	                       : "");
	str_deinit(&label);
	str_deinit(&text);
}

static const char *style_of(const struct cause_node *node)
{
	return !strcmp(node->reason, "direct")     ? "solid"
	       : !strcmp(node->reason, "indirect") ? "dashed"
	                                           : "dotted";
}

static void print_edges(const struct cause_node *node, FILE *file)
{
	if (node->parent)
		fprintf(file, "\tn%u -> n%u [style=%s, label=\"%s\"];\n", node->parent,
		        node->number, style_of(node), node->reason);
	for (uint32_t i = 0; i < node->again.size; i++)
		fprintf(file, "\tn%u -> n%u [constraint=false, color=gray];\n", node->number,
		        node->again.at[i]);
}

void cause_tree_print_dot(const struct cause_tree *tree, FILE *file)
{
	struct str title = STR_INIT;

	graph_add_escaped(&title, tree->what ? tree->what : "");
	fprintf(file, "digraph causes {\n\tlabel=\"%s\";\n\tlabelloc=t;\n", str_text(&title));
	fputs("\tnode [shape=box, fontname=monospace];\n", file);
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		print_node(&tree->nodes.at[i], file);
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		print_edges(&tree->nodes.at[i], file);
	fputs("}\n", file);
	str_deinit(&title);
}
