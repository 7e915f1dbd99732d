/* Graphs: see graph.h. */
#include "report/graph.h"

#include "report/json.h"

void graph_deinit(struct graph *g)
{
	for (uint32_t i = 0; i < g->nodes.size; i++) {
		free(g->nodes.at[i].place);
		free(g->nodes.at[i].text);
	}
	vec_deinit(&g->nodes);
	vec_deinit(&g->edges);
	free(g->title);
	*g = (struct graph){0};
}

/* A text inside quotes. A backslash would begin an escape of dot's own (\n, \l, \N); bytes that are
   no UTF-8 would be refused. */
void graph_add_escaped(struct str *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t length = json_utf8_length(at);

		if (*at == '"' || *at == '\\')
			str_printf(out, "\\%c", *at);
		else if (*at < ' ' || !length)
			str_add_char(out, '?');
		else
			str_add_bytes(out, at, length);
		at += length ? length : 1;
	}
}

static void print_node(const struct graph_node *node, uint32_t index, FILE *file)
{
	struct str label = STR_INIT;

	if (node->place) {
		graph_add_escaped(&label, node->place);
		str_add(&label, "\\l");
	}
	graph_add_escaped(&label, node->text);
	str_add(&label, "\\l");
	fprintf(file, "\tn%u [label=\"%s\"%s%s];\n", index, str_text(&label),
	        node->marked ? ", penwidth=2, color=red" : "",
	        node->potential ? ", style=dotted" : "");
	str_deinit(&label);
}

void graph_print_dot(const struct graph *g, FILE *file)
{
	static const char *const styles[] = {
		[GRAPH_DATA] = "solid", [GRAPH_CONTROL] = "dashed", [GRAPH_POTENTIAL] = "dotted"};
	struct str title = STR_INIT;

	graph_add_escaped(&title, g->title ? g->title : "");
	fprintf(file, "digraph slice {\n\tlabel=\"%s\";\n\tlabelloc=t;\n", str_text(&title));
	fputs("\tnode [shape=box, fontname=monospace];\n", file);
	for (uint32_t i = 0; i < g->nodes.size; i++)
		print_node(&g->nodes.at[i], i, file);
	for (uint32_t i = 0; i < g->edges.size; i++)
		fprintf(file, "\tn%u -> n%u [style=%s];\n", g->edges.at[i].from, g->edges.at[i].to,
		        styles[g->edges.at[i].kind]);
	fputs("}\n", file);
	str_deinit(&title);
}
