/* A cause tree from JSON: see cause_tree.h. What is not as a tree must be is refused, since
   printers rely on it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/cause_tree.h"
#include "report/reader.h"
#include "report/saved.h"

#define DEEPEST 2000u /* levels; printers call themselves for each */
#define LONGEST 1e12  /* seconds */

static const char *const reasons[] = {"failure", "direct", "indirect", "address", "missed", NULL};
static const char *const ways[] = {"folded", "solved", "unknown", "none", NULL};
static const char *const kinds[] = {"branch", "value", NULL};
static const char *const outcomes[] = {"pass", "fail", "unresolved", NULL};

/* --- parts of a node --- */

static uint64_t read_count(struct reader *r, const json_t *object, const char *key)
{
	return reader_number(r, object, key, UINT64_MAX);
}

static void read_statement(struct reader *r, const json_t *item, void *out)
{
	struct cause_node *node = out;
	struct cause_statement *s = vec_push(&node->statements);

	reader_place(r, item, &s->at);
	s->text = reader_text(r, item, "text");
	s->count = read_count(r, item, "count");
	s->time = read_count(r, item, "time");
	s->condition = reader_flag(r, item, "condition");
}

/* A text: not all readers of JSON have whole numbers of 64 bits. */
static uint64_t read_bits(struct reader *r, const json_t *item)
{
	char *text = reader_text(r, item, "bits");
	uint64_t bits = 0;

	if (text && (strncmp(text, "0x", 2) || strlen(text) > 18 || strlen(text) < 3 ||
	             strspn(text + 2, "0123456789abcdef") != strlen(text + 2)))
		reader_fail(r, "bits", "is '%s', not a number like 0x2a", text);
	else if (text)
		bits = strtoull(text, NULL, 16);
	free(text);
	return bits;
}

static void read_proof(struct reader *r, const json_t *item, void *out)
{
	struct cause_node *node = out;
	struct cause_proof *proof = vec_push(&node->proofs);
	const json_t *point = reader_object(r, item, "point");
	size_t mark;

	reader_need(r, item, "experiment");
	reader_need(r, item, "kind");
	reader_need(r, item, "outcome");
	proof->experiment = read_count(r, item, "experiment");
	proof->kind = reader_choice(r, item, "kind", kinds);
	proof->changed = reader_text(r, item, "changed");
	proof->from = reader_text(r, item, "from");
	proof->to = reader_text(r, item, "to");
	proof->bits = read_bits(r, item);
	proof->outcome = reader_choice(r, item, "outcome", outcomes);
	proof->counts = reader_flag(r, item, "counts");
	proof->early = reader_flag(r, item, "early");
	proof->avoids = reader_flag(r, item, "avoids");
	reader_place(r, item, &proof->at);
	proof->instance = read_count(r, item, "instance");
	proof->time = read_count(r, item, "time");
	mark = reader_enter(r, "point");
	reader_place(r, point, &proof->point);
	proof->point_instance = read_count(r, point, "instance");
	proof->point_time = read_count(r, point, "time");
	reader_leave(r, mark);
}

static void read_via(struct reader *r, const json_t *item, struct cause_node *node)
{
	const json_t *via = reader_object(r, item, "for");
	size_t mark = reader_enter(r, "for");

	reader_place(r, via, &node->via);
	reader_leave(r, mark);
}

/* --- a node: its parent must have come before --- */

static void check_parent(struct reader *r, const struct cause_tree *tree,
                         const struct cause_node *node)
{
	uint32_t index = tree->nodes.size - 1;

	if (node->number != index + 1)
		reader_fail(r, "number", "is %u, but it is node %u", node->number, index + 1);
	else if (!index && (node->parent || node->level))
		reader_fail(r, "parent", "is %u, but it is the root", node->parent);
	else if (index && (!node->parent || node->parent > index))
		reader_fail(r, "parent", "is %u, which is no node before it", node->parent);
	else if (index && node->level != tree->nodes.at[node->parent - 1].level + 1)
		reader_fail(r, "level", "is %u, but its parent has level %u", node->level,
		            tree->nodes.at[node->parent - 1].level);
	else if (!strcmp(node->reason, "failure") != !index)
		reader_fail(r, "reason", "is '%s', which %s", node->reason,
		            index ? "only the root has" : "the root has not");
}

static void read_node(struct reader *r, const json_t *item, void *out)
{
	static const char *const needed[] = {"number", "parent", "level", "reason", "how"};
	struct cause_tree *tree = out;
	struct cause_node *node = vec_push(&tree->nodes);

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		reader_need(r, item, needed[i]);
	node->number = (uint32_t)reader_number(r, item, "number", UINT32_MAX);
	node->parent = (uint32_t)reader_number(r, item, "parent", UINT32_MAX);
	node->level = (uint32_t)reader_number(r, item, "level", DEEPEST);
	node->reason = reader_choice(r, item, "reason", reasons);
	read_via(r, item, node);
	reader_place(r, item, &node->at);
	node->instance = read_count(r, item, "instance");
	node->instances = read_count(r, item, "instances");
	node->size = read_count(r, item, "size");
	node->wanted = reader_text(r, item, "wanted");
	node->numbers = reader_text(r, item, "numbers");
	node->how = reader_choice(r, item, "how", ways);
	node->minimal = reader_flag(r, item, "minimal");
	node->limited = reader_flag(r, item, "limited");
	node->tried = reader_flag(r, item, "tried");
	node->proven = reader_flag(r, item, "proven");
	node->expanded = reader_flag(r, item, "expanded");
	reader_each(r, item, "cause", read_statement, node);
	reader_each(r, item, "proof", read_proof, node);
	reader_numbers(r, item, "children", &node->children);
	reader_numbers(r, item, "again", &node->again);
	if (!r->error)
		check_parent(r, tree, node);
}

/* --- what nodes say about each other --- */

static void fail_at(struct reader *r, uint32_t node, const char *key, uint32_t index,
                    uint32_t number, const char *why)
{
	char *path = str_format("nodes[%u].%s[%u]", node, key, index);

	reader_fail(r, path, "is %u, %s", number, why);
	free(path);
}

/* Each node is the child of its parent, once. */
static void check_children(struct reader *r, const struct cause_tree *tree)
{
	bool *seen = mem_alloc(tree->nodes.size + 1);

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].children.size; k++) {
			uint32_t child = tree->nodes.at[i].children.at[k];
			const struct cause_node *node = cause_tree_node(tree, child);

			if (!node || node->parent != i + 1)
				fail_at(r, i, "children", k, child,
				        node ? "a node with another parent" : "which is no node");
			else if (seen[child])
				fail_at(r, i, "children", k, child, "which is there twice");
			else
				seen[child] = true;
		}
	for (uint32_t i = 1; i < tree->nodes.size && !r->error; i++)
		if (!seen[i + 1])
			fail_at(r, tree->nodes.at[i].parent - 1, "children",
			        tree->nodes.at[tree->nodes.at[i].parent - 1].children.size, i + 1,
			        "which is missing");
	free(seen);
}

static void check_again(struct reader *r, const struct cause_tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].again.size; k++)
			if (!cause_tree_node(tree, tree->nodes.at[i].again.at[k]))
				fail_at(r, i, "again", k, tree->nodes.at[i].again.at[k],
				        "which is no node");
}

/* --- the tree --- */

static void read_stats(struct reader *r, const json_t *json, struct cause_tree *out)
{
	const json_t *stats = reader_object(r, json, "stats");
	size_t mark = reader_enter(r, "stats");

	out->stats.nodes = out->nodes.size;
	out->stats.proven = read_count(r, stats, "proven");
	out->stats.instances = read_count(r, stats, "instances");
	out->stats.inside = read_count(r, stats, "inside");
	out->stats.collapsed = read_count(r, stats, "collapsed");
	out->stats.lines = read_count(r, stats, "lines");
	out->stats.solver_calls = read_count(r, stats, "solver_calls");
	out->stats.folded = read_count(r, stats, "folded");
	out->stats.unknown = read_count(r, stats, "unknown");
	out->stats.experiments = read_count(r, stats, "experiments");
	out->stats.seconds = reader_fraction(r, stats, "seconds", 0, LONGEST);
	out->stats.solver_seconds = reader_fraction(r, stats, "solver_seconds", 0, LONGEST);
	reader_leave(r, mark);
}

struct hence_error *cause_tree_read(const json_t *json, struct explanation *kept,
                                    struct cause_tree *out)
{
	struct reader r = {.kept = kept};
	size_t mark = reader_enter(&r, "tree");

	*out = (struct cause_tree){0};
	if (!json_is_object(json))
		reader_fail(&r, NULL, "is no object");
	reader_need(&r, json, "nodes");
	out->complete = reader_flag(&r, json, "complete");
	out->failure = reader_word(&r, json, "failure");
	out->what = reader_text(&r, json, "what");
	reader_each(&r, json, "nodes", read_node, out);
	reader_texts(&r, json, "notes", &out->notes);
	read_stats(&r, json, out);
	if (!r.error && !out->nodes.size)
		reader_fail(&r, "nodes", "is empty, but a tree has a root");
	if (!r.error)
		check_children(&r, out);
	if (!r.error)
		check_again(&r, out);
	reader_leave(&r, mark);
	return reader_finish(&r);
}

/* What stands around the tree. Its verdict, the place of the failure and the path to the chosen
   cause are in the tree. */
static struct hence_error *read_around(const struct saved *saved, struct explanation *kept,
                                       struct cause_tree *out, uint32_t *chosen)
{
	struct reader r = {.kept = kept};
	const json_t *failure = reader_object(&r, saved->root, "failure");
	size_t mark;

	out->program = reader_text(&r, saved->root, "program");
	reader_texts(&r, saved->root, "command", &out->command);
	*chosen = (uint32_t)reader_number(&r, saved->root, "chosen", out->nodes.size);
	mark = reader_enter(&r, "failure");
	out->failure = reader_word(&r, failure, "kind");
	out->what = reader_text(&r, failure, "message");
	reader_leave(&r, mark);
	return reader_finish(&r);
}

struct hence_error *cause_tree_read_saved(const struct saved *saved, struct explanation *kept,
                                          struct cause_tree *out, uint32_t *chosen)
{
	struct cause_tree tree = {0};
	struct hence_error *error =
		cause_tree_read(json_object_get(saved->root, "tree"), kept, &tree);

	/* Alone, it has these from around it. */
	free(tree.what);
	tree.what = NULL;
	if (!error)
		error = read_around(saved, kept, &tree, chosen);
	if (error)
		cause_tree_deinit(&tree);
	else
		*out = tree;
	return saved_damaged(saved, error);
}
