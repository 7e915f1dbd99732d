/* What is asked about a cause tree that is there: figures, and the order of its nodes. */
#include "causes/tree_work.h"

/* --- order --- */

struct rank {
	uint32_t node;
	bool proven; /* it, or something below it */
	uint32_t place;
};

static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->proven != y->proven)
		return x->proven ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void sort_children(struct tree_node *n, const bool *proven)
{
	struct rank *ranks = mem_alloc((n->children.size + 1) * sizeof(*ranks));

	for (uint32_t i = 0; i < n->children.size; i++)
		ranks[i] = (struct rank){n->children.at[i], proven[n->children.at[i]], i};
	qsort(ranks, n->children.size, sizeof(*ranks), by_rank);
	for (uint32_t i = 0; i < n->children.size; i++)
		n->children.at[i] = ranks[i].node;
	free(ranks);
}

/* A parent's index is always smaller than its children's. */
void tree_sort(struct tree *tree)
{
	bool *proven = mem_alloc(tree->nodes.size + 1);

	for (uint32_t i = tree->nodes.size; i-- > 0;) {
		proven[i] |= tree->nodes.at[i].proven;
		if (proven[i])
			proven[tree->nodes.at[i].parent] = true;
	}
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		sort_children(&tree->nodes.at[i], proven);
	free(proven);
}

/* --- figures --- */

MAP_DEFINE_STRING(line_map, bool);

static void add_line(struct line_map *lines, const char *file, unsigned line)
{
	char *key;

	if (!file || !line)
		return;
	key = str_format("%u:%s", line, file);
	if (line_map_find(lines, key))
		free(key);
	else
		*line_map_put(lines, key) = true;
}

static uint64_t count_lines(const struct tree *tree)
{
	struct line_map lines = MAP_INIT;
	uint64_t count;

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct tree_node *n = &tree->nodes.at[i];

		add_line(&lines, n->file, n->line);
		for (uint32_t k = 0; k < n->statements.size; k++)
			add_line(&lines, n->statements.at[k].file, n->statements.at[k].line);
	}
	count = lines.size;
	map_each(&lines, i) free((char *)lines.at[i].key);
	line_map_deinit(&lines);
	return count;
}

struct tree_counts tree_counts(const struct tree *tree)
{
	roaring_bitmap_t *inside = roaring_bitmap_create(), *all = roaring_bitmap_create();
	struct tree_counts counts = {
		.instances = tree->violation.instance + 1 - EXECUTION_FIRST,
		.lines = count_lines(tree),
		.solver = solver_counts(tree->work->solver),
		.seconds = tree->work->seconds,
	};

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct tree_node *n = &tree->nodes.at[i];

		roaring_bitmap_add_many(inside, n->cause.size, n->cause.at);
		roaring_bitmap_add_many(all, n->conditions.size, n->conditions.at);
		roaring_bitmap_or_inplace(all, tree->work->more.at[i].full);
	}
	counts.inside = roaring_bitmap_get_cardinality(inside);
	counts.collapsed = roaring_bitmap_andnot_cardinality(all, inside);
	roaring_bitmap_free(inside);
	roaring_bitmap_free(all);
	return counts;
}
