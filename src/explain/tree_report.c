/* The cause tree, for printers: see tree_report.h. */
#include "explain/tree_report.h"

static char *copy(const char *text)
{
	return text && *text ? mem_strdup(text) : NULL;
}

/* --- nodes --- */

static const char *reason_name(enum tree_reason reason)
{
	switch (reason) {
	case TREE_FAILURE: return "failure";
	case TREE_DIRECT: return "direct";
	case TREE_INDIRECT: return "indirect";
	case TREE_ADDRESS: return "address";
	case TREE_MISSED: return "missed";
	}
	return "";
}

static const char *how_name(enum refuted how)
{
	switch (how) {
	case REFUTED_FOLDED: return "folded";
	case REFUTED_SOLVED: return "solved";
	case REFUTED_UNKNOWN: return "unknown";
	case REFUTED_NOT: return "none";
	}
	return "";
}

static void add_statements(const struct tree_node *node, struct explain_sources *sources,
                           struct cause_node *out)
{
	for (uint32_t i = 0; i < node->statements.size; i++) {
		const struct tree_statement *s = &node->statements.at[i];

		*vec_push(&out->statements) = (struct cause_statement){
			.at = explain_place(sources, s->file, s->line, s->column, s->function),
			.text = copy(s->text),
			.count = s->count,
			.time = s->time,
			.condition = s->condition,
		};
	}
}

static void add_proofs(const struct tree_node *node, struct explain_sources *sources,
                       struct cause_node *out)
{
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct tree_proof *p = &node->proofs.at[i];

		*vec_push(&out->proofs) = (struct cause_proof){
			.experiment = p->experiment,
			.at = explain_place(sources, p->file, p->line, p->column, p->function),
			.instance = p->occurrence,
			.time = p->time,
			.point = explain_place(NULL, p->point.file, p->point.line, p->point.column,
		                               p->point.function),
			.point_instance = p->point.occurrence,
			.point_time = p->point.time,
			.changed = copy(p->changed),
			.from = copy(p->from),
			.to = copy(p->to),
			.bits = p->value,
			.kind = p->branch ? "branch" : "value",
			.outcome = verdict_name(p->outcome),
			.early = p->early,
			.avoids = p->avoids,
			.counts = p->counts,
			.after = p->after,
		};
	}
}

#define add_numbers(from, to)                                                                      \
	do {                                                                                       \
		for (uint32_t i_ = 0; i_ < (from)->size; i_++)                                     \
			*vec_push(to) = (from)->at[i_] + 1;                                        \
	} while (0)

static void add_node(const struct tree *tree, uint32_t index, struct explain_sources *sources,
                     struct cause_tree *out)
{
	const struct tree_node *node = &tree->nodes.at[index];
	struct cause_node *n = vec_push(&out->nodes);

	*n = (struct cause_node){
		.number = index + 1,
		.parent = index ? node->parent + 1 : 0,
		.level = node->level,
		.reason = reason_name(node->reason),
		.at = explain_place(sources, node->file, node->line, node->column, node->function),
		.via = explain_place(sources, node->via_file, node->via_line, 0, NULL),
		.instance = node->occurrence,
		.instances = node->conditions.size,
		.size = node->cause.size,
		.wanted = copy(node->wanted),
		.numbers = copy(node->numbers),
		.how = how_name(node->how),
		.minimal = node->certain,
		.limited = node->limited,
		.tried = node->tried,
		.proven = node->proven,
		.expanded = node->expanded,
	};
	add_statements(node, sources, n);
	add_proofs(node, sources, n);
	add_numbers(&node->children, &n->children);
	add_numbers(&node->again, &n->again);
	out->stats.proven += node->proven;
}

/* --- the rest --- */

static void add_notes(const struct tree *tree, struct cause_tree *out)
{
	for (uint32_t i = 0; i < tree->violation.notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(tree->violation.notes.at[i]);
	for (uint32_t i = 0; i < tree->notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(tree->notes.at[i]);
	if (tree->stopped)
		*vec_push(&out->notes) =
			mem_strdup("ended before all causes were found; give more time with "
		                   "--time, or ask for fewer with --levels");
	if (tree->full)
		*vec_push(&out->notes) = mem_strdup(
			"there are more causes than the tree may have; --nodes allows more");
	if (tree->window)
		*vec_push(&out->notes) = mem_strdup("only the end of the run fits into memory; "
		                                    "what came before is not followed");
}

static void add_stats(const struct tree *tree, const struct angelic_counts *counts,
                      struct cause_tree *out)
{
	struct tree_counts c = tree_counts(tree);

	out->stats.instances = c.instances;
	out->stats.inside = c.inside;
	out->stats.collapsed = c.collapsed;
	out->stats.lines = c.lines;
	out->stats.nodes = tree->nodes.size;
	out->stats.solver_calls = c.solver.calls;
	out->stats.folded = c.solver.folded;
	out->stats.unknown = c.solver.unknown;
	out->stats.solver_seconds = c.solver.seconds;
	out->stats.seconds = c.seconds;
	out->stats.experiments = counts ? counts->experiments : 0;
}

void tree_report(const struct tree *tree, const struct angelic_counts *counts,
                 struct explain_sources *sources, struct cause_tree *out)
{
	*out = (struct cause_tree){
		.failure = tree->violation.failure,
		.what = copy(str_text(&tree->violation.what)),
		.complete = !tree->stopped && !tree->full && !tree->window &&
	                    !(counts && counts->stopped),
	};
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		add_node(tree, i, sources, out);
	add_notes(tree, out);
	add_stats(tree, counts, out);
}
