/* Graphs for graphviz: of statements (graph.h), of explanations and of cause trees. */
#include "report/graph.h"

#include <string.h>

#include "base/guard.h"
#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "report/json.h"

/*
 * --- an explanation: steps from top to bottom, 'therefore' and 'also' between them, and where to look ---
 *
 * Labels are graphviz's own HTML, so that a line of source can have another typeface than the sentence about it. All texts are made
 * safe for a terminal first, which leaves no control characters, and then their markup is taken.
 */

#define WIDTH      64u /* columns of a label */
#define MOST_LINES 6u  /* of one text in a label, unless all is to be shown */
#define MOST_TOLD  4u  /* variables that the sentence of a step tells */
#define MOST_ROWS  12u /* variables in a label, unless all is to be shown */

struct dot_printer {
	const struct explanation *e;
	bool full;
	struct str *out;
};

/* --- text --- */

/* A backslash begins an escape of dot's own (\N: the name of the node), even in its HTML, and even as an entity; two
   are one. */
static void add_character(struct str *out, const char *at, size_t length)
{
	switch (*at) {
	case '&': str_add(out, "&amp;"); break;
	case '<': str_add(out, "&lt;"); break;
	case '>': str_add(out, "&gt;"); break;
	case '"': str_add(out, "&quot;"); break;
	case '\'': str_add(out, "&#39;"); break;
	case '\\': str_add(out, "&#92;&#92;"); break;
	default: str_add_bytes(out, at, length);
	}
}

/* How many bytes of a text go on the next line: up to the last space that has room, or else as many as have. */
static size_t line_length(const char *text)
{
	size_t at = 0, space = 0;
	unsigned columns = 0;

	for (; text[at] && columns <= WIDTH; columns++) {
		if (text[at] == ' ')
			space = at;
		at += json_utf8_length((const unsigned char *)text + at);
	}
	if (!text[at] && columns <= WIDTH)
		return at;
	if (space)
		return space;
	while (at && ((unsigned char)text[--at] & 0xc0) == 0x80)
		;
	return at;
}

/* Appends a text that is safe already, in lines. */
static void add_lines(const struct dot_printer *p, const char *text)
{
	for (unsigned line = 0; *text; line++) {
		size_t length = line_length(text), size;

		str_add(p->out, line ? "<BR ALIGN=\"LEFT\"/>" : "");
		if (line == MOST_LINES && !p->full) {
			str_add(p->out, "...");
			return;
		}
		for (size_t at = 0; at < length; at += size) {
			size = json_utf8_length((const unsigned char *)text + at);
			add_character(p->out, text + at, size);
		}
		text += length;
		text += strspn(text, " ");
	}
}

/* A row of a label; nothing for an empty text. */
static void add_row(const struct dot_printer *p, const struct str *text, const char *before,
                    const char *after)
{
	if (!text->length)
		return;
	str_printf(p->out, "\n\t\t<TR><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\" COLSPAN=\"3\">%s", before);
	add_lines(p, str_text(text));
	str_printf(p->out, "%s</TD></TR>", after);
}

/* The same of a text of the program's. */
static void add_safe_row(const struct dot_printer *p, const char *text, const char *before,
                         const char *after)
{
	struct str safe GUARD(str_deinit) = STR_INIT;

	explanation_add_safe(&safe, text);
	add_row(p, &safe, before, after);
}

#define SMALL      "<FONT POINT-SIZE=\"10\">"
#define SMALL_END  "</FONT>"
#define SOURCE     "<FONT FACE=\"monospace\">"
#define SOURCE_END "</FONT>"

/* --- nodes --- */

static void open_node(const struct dot_printer *p, const char *name, uint32_t number)
{
	str_printf(p->out,
	           "\t%s%u [label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">", name,
	           number);
}

/* With attributes of dot's; NULL: none. */
static void close_node(const struct dot_printer *p, const char *attributes)
{
	str_printf(p->out, "</TABLE>>%s];\n", attributes);
}

static bool has_file(const struct explanation_place *place)
{
	return place && place->file && *place->file;
}

/* `sort.c:17:3 in sort()`, and the line of source. */
static void add_place(const struct dot_printer *p, const struct explanation_place *place)
{
	struct str text GUARD(str_deinit) = STR_INIT;

	if (!has_file(place))
		return;
	explanation_add_place(&text, place);
	if (place->function) {
		str_add(&text, " in ");
		explanation_add_safe(&text, place->function);
		str_add(&text, "()");
	}
	add_row(p, &text, SMALL, SMALL_END);
	if (place->source)
		add_safe_row(p, place->source + strspn(place->source, " \t"), SOURCE, SOURCE_END);
}

/* How well a step shows a suspect: it is there, on the same line, or that line made it the cause. */
static unsigned match(const struct explanation_suspect *suspect,
                      const struct explanation_step *step)
{
	const struct explanation_place *place = explanation_step_place(step);

	if (explanation_same_line(&suspect->at, place))
		return suspect->at.column == place->column ? 3 : 2;
	return step->transition && explanation_same_line(&suspect->at, &step->cause) ? 1 : 0;
}

/* The step that a suspect is marked at: the first of the best. UINT32_MAX: none. */
static uint32_t step_of(const struct explanation *e, const struct explanation_suspect *suspect)
{
	uint32_t best = UINT32_MAX;
	unsigned good = 0;

	for (uint32_t i = 0; i < e->steps.size; i++) {
		unsigned found = match(suspect, &e->steps.at[i]);

		if (found > good) {
			good = found;
			best = i;
		}
	}
	return best;
}

static void add_suspect(const struct dot_printer *p, uint32_t number)
{
	const struct explanation_suspect *suspect = &p->e->suspects.at[number];
	struct str text GUARD(str_deinit) = STR_INIT;

	str_printf(&text, "look here (%u): ", number + 1);
	explanation_add_safe(&text, suspect->why ? suspect->why : "");
	add_row(p, &text, SMALL "<B>", "</B>" SMALL_END);
}

/* --- values: a sentence tells a few; a table has many --- */

/* Graphviz refuses tags that have no text between them. */
static void add_cell(const struct dot_printer *p, const char *before, const char *text,
                     const char *after)
{
	struct str safe GUARD(str_deinit) = STR_INIT;

	explanation_add_safe(&safe, text);
	str_printf(p->out, "<TD ALIGN=\"LEFT\" BALIGN=\"LEFT\">" SMALL "%s", before);
	add_lines(p, safe.length ? str_text(&safe) : "-");
	str_printf(p->out, "%s" SMALL_END "</TD>", after);
}

static void add_values(const struct dot_printer *p, const struct explanation_step *step)
{
	uint32_t count = step->values.size, shown = count;

	if (count <= MOST_TOLD)
		return;
	if (count > MOST_ROWS && !p->full)
		shown = MOST_ROWS - 1;
	for (uint32_t i = 0; i < shown; i++) {
		const struct explanation_value *v = &step->values.at[i];

		str_add(p->out, "\n\t\t<TR>");
		add_cell(p, "", v->name ? v->name : "", "");
		add_cell(p, "", v->failing ? v->failing : "does not exist", "");
		add_cell(p, v->reference ? "(not " : "(",
		         v->reference ? v->reference : "does not exist in the reference", ")");
		str_add(p->out, "</TR>");
	}
	if (shown < count) {
		struct str text GUARD(str_deinit) = STR_INIT;

		str_printf(&text, "... %u more", count - shown);
		add_row(p, &text, SMALL, SMALL_END);
	}
}

/* --- steps --- */

static void add_step(const struct dot_printer *p, uint32_t number)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	bool doubtful = !step->proven && !step->observed, suspect = false;
	struct str text GUARD(str_deinit) = STR_INIT, cause GUARD(str_deinit) = STR_INIT,
			attributes GUARD(str_deinit) = STR_INIT;

	open_node(p, "step", number + 1);
	str_printf(&text, "%u. ", number + 1);
	explanation_add_step_short(&text, step, &explanation_unmarked,
	                           p->full ? 0 : EXPLANATION_SHORT_VALUE);
	add_row(p, &text, "<B>", "</B>");
	add_place(p, explanation_step_place(step));
	add_values(p, step);
	explanation_add_cause(&cause, step);
	add_row(p, &cause, SMALL, SMALL_END);
	if (doubtful)
		add_safe_row(p, "not proven", SMALL "<I>", "</I>" SMALL_END);
	for (uint32_t i = 0; i < explanation_shown_suspects(p->e, p->full); i++) {
		if (step_of(p->e, &p->e->suspects.at[i]) != number)
			continue;
		add_suspect(p, i);
		suspect = true;
	}
	str_printf(&attributes, ", style=\"%s,filled\", fillcolor=\"%s\"%s",
	           doubtful ? "dashed" : "solid", suspect ? "#fff2b3" : "white",
	           step->observed     ? ", color=\"#c00000\", penwidth=2"
	           : step->transition ? ", color=\"#1f4e9e\", penwidth=2"
	                              : "");
	close_node(p, str_text(&attributes));
}

/* Does the chain end with what was seen? Otherwise the failure is a node of its own. */
static bool shows_failure(const struct explanation *e)
{
	return e->steps.size && e->steps.at[e->steps.size - 1].observed;
}

/* --- the whole --- */

static void add_title(const struct dot_printer *p)
{
	struct str text = STR_INIT, verdict GUARD(str_deinit) = STR_INIT;

	str_add(p->out, "\tlabel=<<TABLE BORDER=\"0\" CELLSPACING=\"0\">");
	explanation_add_failure(&text, p->e);
	add_row(p, &text, "<B>", "</B>");
	str_deinit(&text);
	if (p->e->reference.text) {
		str_add(&text, "compared with: ");
		explanation_add_safe(&text, p->e->reference.text);
		add_row(p, &text, "", "");
	}
	explanation_add_verdict(&verdict, p->e);
	add_row(p, &verdict, "<I>", "</I>");
	add_safe_row(p,
	             "blue: a statement makes something else the cause; red: the failure; "
	             "dashed: not proven; yellow: look here",
	             SMALL, SMALL_END);
	str_add(p->out, "</TABLE>>;\n\tlabelloc=t;\n");
	str_deinit(&text);
}

void explanation_print_dot(const struct explanation *e, const struct explanation_style *style,
                           FILE *file)
{
	struct str out GUARD(str_deinit) = STR_INIT;
	const struct dot_printer p = {.e = e, .full = style->full, .out = &out};
	uint32_t count = e->steps.size;

	str_add(&out, "digraph explanation {\n");
	add_title(&p);
	str_add(&out, "\tfontname=\"sans-serif\";\n"
	              "\tnode [shape=box, fontname=\"sans-serif\", fontsize=12];\n"
	              "\tedge [fontname=\"sans-serif\", fontsize=10];\n");
	for (uint32_t i = 0; i < count; i++)
		add_step(&p, i);
	if (!shows_failure(p.e)) {
		struct str text GUARD(str_deinit) = STR_INIT;

		open_node(&p, "failure", 0);
		explanation_add_failure(&text, p.e);
		add_row(&p, &text, "<B>", "</B>");
		add_place(&p, has_file(&p.e->failure.at) ? &p.e->failure.at : NULL);
		close_node(&p, ", color=\"#c00000\", penwidth=2");
	}
	for (uint32_t i = 1; i < count; i++) {
		const struct explanation_step *step = &p.e->steps.at[i];

		str_printf(p.out, "\tstep%u -> step%u [%s];\n", i, i + 1,
		           step->apart ? "label=\" also\", style=dotted, dir=none"
		           : step->proven || step->observed ? "label=\" therefore\""
		                                            : "label=\" therefore\", style=dashed");
	}
	if (count && !shows_failure(p.e))
		str_printf(p.out, "\tstep%u -> failure0 [label=\" therefore\"%s];\n", count,
		           p.e->verdict == EXPLANATION_EXPLAINED ? "" : ", style=dashed");
	for (uint32_t i = 0; i < explanation_shown_suspects(p.e, p.full); i++) {
		if (step_of(p.e, &p.e->suspects.at[i]) != UINT32_MAX)
			continue;
		open_node(&p, "suspect", i + 1);
		add_suspect(&p, i);
		add_place(&p, &p.e->suspects.at[i].at);
		close_node(&p, ", shape=note, style=filled, fillcolor=\"#fff2b3\"");
	}
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
}

/* --- statements --- */

/* Appends a text as it may stand in a quoted label. A backslash would begin an escape of dot's own (\n, \l, \N); bytes that are
   no UTF-8 would be refused. */
static void add_escaped(struct str *out, const char *text)
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

void graph_print_dot(const struct graph *g, FILE *file)
{
	static const char *const styles[] = {
		[GRAPH_DATA] = "solid", [GRAPH_CONTROL] = "dashed", [GRAPH_POTENTIAL] = "dotted"};
	struct str title GUARD(str_deinit) = STR_INIT;

	add_escaped(&title, g->title ? g->title : "");
	fprintf(file, "digraph slice {\n\tlabel=\"%s\";\n\tlabelloc=t;\n", str_text(&title));
	fputs("\tnode [shape=box, fontname=monospace];\n", file);
	for (uint32_t i = 0; i < g->nodes.size; i++) {
		const struct graph_node *node = &g->nodes.at[i];
		struct str label GUARD(str_deinit) = STR_INIT;

		if (node->place) {
			add_escaped(&label, node->place);
			str_add(&label, "\\l");
		}
		add_escaped(&label, node->text);
		str_add(&label, "\\l");
		fprintf(file, "\tn%u [label=\"%s\"%s%s];\n", i, str_text(&label),
		        node->marked ? ", penwidth=2, color=red" : "",
		        node->potential ? ", style=dotted" : "");
	}
	for (uint32_t i = 0; i < g->edges.size; i++)
		fprintf(file, "\tn%u -> n%u [style=%s];\n", g->edges.at[i].from, g->edges.at[i].to,
		        styles[g->edges.at[i].kind]);
	fputs("}\n", file);
}

/* --- cause trees --- */

/* Cut and escaped: a label is no place for a page. */
#define MOST_LINES_DOT 6u

static void add_label_line(struct str *out, const char *text)
{
	add_escaped(out, text);
	str_add(out, "\\l");
}

static void print_node_dot(const struct cause_node *node, FILE *file)
{
	struct str label GUARD(str_deinit) = STR_INIT, text GUARD(str_deinit) = STR_INIT;
	uint32_t shown =
		node->statements.size > MOST_LINES_DOT ? MOST_LINES_DOT - 1 : node->statements.size;

	str_printf(&text, "%u. ", node->number);
	explanation_add_place(&text, &node->at);
	add_label_line(&label, str_text(&text));
	text.length = 0;
	cause_node_add_condition(node, &text);
	if (text.length)
		add_label_line(&label, str_text(&text));
	for (uint32_t i = 0; i < shown; i++) {
		const struct cause_statement *s = &node->statements.at[i];

		text.length = 0;
		str_printf(&text, "%u: %s", s->at.line, s->text ? s->text : "");
		add_label_line(&label, str_text(&text));
	}
	if (shown < node->statements.size)
		str_printf(&label, "... %u more\\l", node->statements.size - shown);
	fprintf(file, "\tn%u [label=\"%s\"%s];\n", node->number, str_text(&label),
	        node->proven   ? ", color=green, penwidth=2"
	        : !node->level ? ", color=red"
	                       : "");
}

void cause_tree_print_dot(const struct cause_tree *tree, FILE *file)
{
	struct str title GUARD(str_deinit) = STR_INIT;

	add_escaped(&title, tree->what ? tree->what : "");
	fprintf(file, "digraph causes {\n\tlabel=\"%s\";\n\tlabelloc=t;\n", str_text(&title));
	fputs("\tnode [shape=box, fontname=monospace];\n", file);
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		print_node_dot(&tree->nodes.at[i], file);
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		if (node->parent)
			fprintf(file, "\tn%u -> n%u [style=%s, label=\"%s\"];\n", node->parent,
			        node->number,
			        node->reason == CAUSE_DIRECT     ? "solid"
			        : node->reason == CAUSE_INDIRECT ? "dashed"
			                                         : "dotted",
			        cause_reason_names[node->reason]);
		for (uint32_t j = 0; j < node->again.size; j++)
			fprintf(file, "\tn%u -> n%u [constraint=false, color=gray];\n",
			        node->number, node->again.at[j]);
	}
	fputs("}\n", file);
}
