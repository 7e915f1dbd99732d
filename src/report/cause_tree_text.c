/* A cause tree for a person: a paragraph for each node, indented by its level. */
#include <string.h>

#include "report/cause_tree_layout.h"

#define STEP        3u /* columns that a level is indented by */
#define MOST_ADVICE 5u /* causes that are named in the end */

/* --- the tree --- */

/* Deep levels stay readable. */
static unsigned indent_of(const struct cause_printer *p, uint32_t level)
{
	unsigned most = p->width > CAUSE_NARROW ? p->width - CAUSE_NARROW : 0;

	return level * STEP < most ? level * STEP : most;
}

static bool is_shown(const struct cause_printer *p, const struct cause_node *node)
{
	return node->level <= p->deepest || p->leads[node->number];
}

/* Was it tried in vain, while others were proven, which none below it is? */
static bool is_short(const struct cause_printer *p, const struct cause_node *node)
{
	return !p->full && p->leads[0] && node->tried && !p->leads[node->number] && node->level;
}

static void print_folded(const struct cause_printer *p, const struct cause_node *node)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < node->children.size; i++) {
		const struct cause_node *child = cause_tree_node(p->tree, node->children.at[i]);

		if (!is_shown(p, child))
			count += 1 + cause_tree_below(p->tree, child->number);
	}
	if (count)
		fprintf(p->file, "%s%*s... %u more cause%s below %u\n",
		        is_short(p, node) ? "" : "\n", (int)indent_of(p, node->level + 1), "",
		        count, count == 1 ? "" : "s", node->number);
}

/* Short ones stand line by line; `short_before`: so does the one before. */
static void print_subtree(const struct cause_printer *p, const struct cause_node *node,
                          bool short_before)
{
	bool brief = is_short(p, node), before = brief;

	if (!brief || !short_before)
		fputc('\n', p->file);
	if (brief)
		cause_print_short(p, node, indent_of(p, node->level));
	else
		cause_print_node(p, node, indent_of(p, node->level), true);
	for (uint32_t i = 0; i < node->children.size; i++) {
		const struct cause_node *child = cause_tree_node(p->tree, node->children.at[i]);

		if (!is_shown(p, child))
			continue;
		print_subtree(p, child, before);
		before = is_short(p, child);
	}
	print_folded(p, node);
}

/* --- around it --- */

static void print_failure(const struct cause_printer *p)
{
	struct str text = STR_INIT;

	str_add(&text, cause_colour(p, CELL_BOLD));
	explanation_add_safe(&text, p->tree->program ? p->tree->program : "the program");
	str_add(&text, ": ");
	explanation_add_safe(&text, p->tree->what ? p->tree->what : "it fails");
	str_add(&text, cause_colour(p, CELL_PLAIN));
	cause_print_line(p, &text, 0);
}

static void add_number(struct str *out, uint64_t number, const char *what)
{
	str_printf(out, "%llu %s%s", (unsigned long long)number, what, number == 1 ? "" : "s");
}

static void print_stats(const struct cause_printer *p)
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

/* --- where to look --- */

static bool same_place(const struct cause_node *a, const struct cause_node *b)
{
	return a->at.line == b->at.line && a->at.file && b->at.file &&
	       !strcmp(a->at.file, b->at.file);
}

/* A list of proven causes, each place once. */
struct advice {
	const struct cause_node *told[MOST_ADVICE];
	uint32_t count;
	struct str text;
};

static void advise(struct advice *a, const struct cause_node *node)
{
	if (!node->proven || !node->at.file || a->count == MOST_ADVICE)
		return;
	for (uint32_t i = 0; i < a->count; i++)
		if (same_place(a->told[i], node))
			return;
	a->told[a->count++] = node;
	str_add(&a->text, a->count > 1 ? ", " : "look first at: ");
	explanation_add_safe(&a->text, node->at.file);
	str_printf(&a->text, ":%u", node->at.line);
}

/* Those furthest from the failure first. */
static void print_advice(const struct cause_printer *p)
{
	struct advice a = {.count = 0};
	uint32_t level = 0;

	for (uint32_t i = 0; i < p->tree->nodes.size; i++)
		if (p->tree->nodes.at[i].level > level)
			level = p->tree->nodes.at[i].level;
	for (level++; level-- > 0;)
		for (uint32_t i = 0; i < p->tree->nodes.size; i++)
			if (p->tree->nodes.at[i].level == level)
				advise(&a, &p->tree->nodes.at[i]);
	if (!a.count)
		return;
	fputc('\n', p->file);
	cause_print_line(p, &a.text, 0);
}

/* --- what is missing --- */

static void print_deeper(const struct cause_printer *p)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->tree->nodes.size; i++)
		count += !p->tree->nodes.at[i].expanded;
	if (count)
		fprintf(p->file,
		        "what led to %u of the causes was not computed; --levels says how "
		        "deep\n",
		        count);
}

static void print_notes(const struct cause_printer *p)
{
	if (!p->tree->complete || p->tree->notes.size)
		fputc('\n', p->file);
	if (!p->tree->complete)
		fputs("the tree is not complete\n", p->file);
	for (uint32_t i = 0; i < p->tree->notes.size; i++) {
		struct str text = STR_INIT;

		str_add(&text, "note: ");
		explanation_add_safe(&text, p->tree->notes.at[i]);
		cause_print_line(p, &text, 0);
	}
}

/* --- the whole --- */

static void begin(struct cause_printer *p)
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
                           uint32_t deepest, bool full, FILE *file)
{
	struct cause_printer p = {
		.tree = tree, .style = style, .deepest = deepest, .full = full, .file = file};

	begin(&p);
	print_failure(&p);
	if (tree->nodes.size)
		print_subtree(&p, &tree->nodes.at[0], false);
	print_advice(&p);
	print_stats(&p);
	print_deeper(&p);
	print_notes(&p);
	free(p.leads);
}

void cause_node_print_text(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file)
{
	struct cause_printer p = {.tree = tree, .style = style, .full = true, .file = file};

	begin(&p);
	cause_print_node(&p, cause_tree_node(tree, number), 0, false);
	free(p.leads);
}

void cause_tree_print_path(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file)
{
	struct cause_printer p = {.tree = tree, .style = style, .full = true, .file = file};
	struct cause_path path;

	begin(&p);
	print_failure(&p);
	cause_tree_path(tree, number, &path);
	for (uint32_t i = 0; i < path.numbers.size; i++) {
		fputc('\n', file);
		cause_print_node(&p, cause_tree_node(tree, path.numbers.at[i]), 0, true);
	}
	vec_deinit(&path.numbers);
	free(p.leads);
}
