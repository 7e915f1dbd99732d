/* The cause tree: its nodes and how they are put together. See tree.h; what nodes are made of is in tree_cause.c and
   tree_critical.c. */
#include "causes/tree_work.h"

#include <time.h>

#define NODES   400u
#define STEPS   40000u /* of the solver for one question: some hundredths of a second */
#define SIZE    1500u  /* nodes of terms in one */
#define SECONDS 2.0    /* in all, as a last resort: steps do not count everything */
#define FLOATS  3u     /* operations on floating-point numbers in one */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_stopped(struct tree *tree)
{
	const struct tree_options *o = tree->work->options;

	tree->stopped |= o->stop && o->stop(o->context);
	return tree->stopped;
}

/* --- nodes --- */

static uint32_t add_node(struct tree *tree, uint32_t parent)
{
	struct tree_more *more = vec_push(&tree->work->more);
	struct tree_node *n = vec_push(&tree->nodes);

	more->conditions = roaring_bitmap_create();
	more->full = roaring_bitmap_create();
	more->fresh = roaring_bitmap_create();
	n->parent = parent;
	if (tree->nodes.size > 1)
		n->level = tree->nodes.at[parent].level + 1;
	return tree->nodes.size - 1;
}

static void add_once(uint32_t node, struct tree_node *parent)
{
	for (uint32_t i = 0; i < parent->again.size; i++)
		if (parent->again.at[i] == node)
			return;
	*vec_push(&parent->again) = node;
}

/* The node of a condition's instruction, made below `parent` if there is none; UINT32_MAX: no more can be. */
static uint32_t node_of(struct tree *tree, uint32_t parent, const struct tree_condition *c)
{
	struct tree_work *w = tree->work;
	uint32_t code = execution_code(w->e, c->instance);
	uint32_t most = w->options->nodes ? w->options->nodes : NODES;
	uint32_t *found = tree_index_put(&w->index, tree_key(code, tree_kind(c->reason)));

	if (*found)
		return *found - 1;
	if (tree->nodes.size >= most) {
		tree->full = true;
		return UINT32_MAX;
	}
	*found = add_node(tree, parent) + 1;
	tree->nodes.at[*found - 1].code = code;
	*vec_push(&tree->nodes.at[parent].children) = *found - 1;
	return *found - 1;
}

static void add_condition(struct tree *tree, uint32_t parent, const struct tree_condition *c)
{
	uint32_t node = node_of(tree, parent, c);

	if (node == UINT32_MAX)
		return;
	if (node != parent && tree->nodes.at[node].parent != parent)
		add_once(node, &tree->nodes.at[parent]);
	if (!roaring_bitmap_add_checked(tree->work->more.at[node].conditions, c->instance))
		return;
	*vec_push(&tree->nodes.at[node].conditions) = c->instance;
	*vec_push(&tree->work->more.at[node].pending) = *c;
}

/* May something else have been to be put out first? */
static bool misses_output(const struct violation *v)
{
	return v->kind == VIOLATION_EVENT || !strcmp(v->failure, "wrong-output");
}

/* Where more should have come at the latest. */
static uint32_t last_violated(const struct violation *v)
{
	uint32_t last = v->instance;

	for (uint32_t i = 0; i < v->also.size; i++)
		if (v->also.at[i] > last)
			last = v->also.at[i];
	return last;
}

/* Finds the children of a node, or those that are new since its cause has grown. */
static void expand(struct tree *tree, uint32_t node)
{
	struct tree_work *w = tree->work;
	struct tree_conditions found = {0};

	tree_find_critical(w, w->more.at[node].fresh, &found);
	if (!node && !tree->nodes.at[0].expanded && misses_output(&tree->violation))
		tree_find_silent(w, last_violated(&tree->violation), &found);
	roaring_bitmap_clear(w->more.at[node].fresh);
	tree->nodes.at[node].expanded = true;
	for (uint32_t i = 0; i < found.all.size; i++)
		add_condition(tree, node, &found.all.at[i]);
	vec_deinit(&found.all);
}

/* --- levels --- */

static bool wants(const struct tree *tree, uint32_t node)
{
	const struct tree_more *more = &tree->work->more.at[node];
	const struct tree_node *n = &tree->nodes.at[node];

	return more->pending.size || ((n->expanded || n->level < tree->work->options->levels) &&
	                              (!n->expanded || !roaring_bitmap_is_empty(more->fresh)));
}

/* Nodes are in the order of their levels, so that all conditions of one are mostly known when its turn comes. Those that
   come later are looked at in the next round. */
static void work(struct tree *tree)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < tree->nodes.size; i++) {
			if (!wants(tree, i))
				continue;
			if (is_stopped(tree))
				return;
			changed = true;
			tree_find_cause(tree, i);
			if (wants(tree, i))
				expand(tree, i);
		}
	}
}

void tree_expand(struct tree *tree, uint32_t node)
{
	double began = now();

	if (tree->nodes.at[node].expanded)
		return;
	tree->stopped = false;
	expand(tree, node);
	work(tree);
	tree->work->seconds += now() - began;
}

/* --- making it --- */

static struct hence_error *check_kept(const struct tree *tree)
{
	const struct tree_work *w = tree->work;

	if (tree_keeps(w, tree->violation.instance))
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"the run is too long for a cause tree: the failure lies before the last "
		"%u instructions, which is all that fits into memory",
		w->end - w->first);
}

static void note_window(struct tree *tree)
{
	const struct tree_work *w = tree->work;

	*vec_push(&tree->notes) = str_format(
		"the run is too long to be kept whole: only the last %u of %u instructions are "
		"followed, and what was there before is taken as it was",
		w->end - w->first, w->end - EXECUTION_FIRST);
}

static struct hence_error *build(struct tree *tree, const struct violation_question *question)
{
	struct tree_work *w = tree->work;
	struct solver_options options = {.steps = STEPS,
	                                 .floats = FLOATS,
	                                 .size = SIZE,
	                                 .seconds = SECONDS,
	                                 .stop = w->options->stop,
	                                 .context = w->options->context};
	struct hence_error *error = tree_decode(w, &tree->window);

	if (error)
		return error;
	if (tree->window)
		note_window(tree);
	w->terms = terms_create();
	w->symbolic = symbolic_create(w->e, w->terms);
	w->solver = solver_create(w->terms, &options);
	w->cache = refute_cache_create();
	error = violation_find(w->run, w->symbolic, question, &tree->violation);
	if (!error)
		error = check_kept(tree);
	if (error)
		return error;
	add_node(tree, 0);
	tree_find_root(tree);
	work(tree);
	return NULL;
}

struct hence_error *tree_build(const struct recording *run,
                               const struct violation_question *question,
                               const struct tree_options *options, struct tree *out)
{
	struct tree tree = {0};
	struct hence_error *error;
	double began = now();

	tree.work = mem_alloc(sizeof(*tree.work));
	tree.work->run = run;
	tree.work->options = options;
	error = build(&tree, question);
	tree.work->seconds = now() - began;
	if (error)
		tree_deinit(&tree);
	else
		*out = tree;
	return error;
}

/* --- the end of it --- */

static void deinit_work(struct tree_work *w)
{
	for (uint32_t i = 0; i < w->more.size; i++) {
		vec_deinit(&w->more.at[i].pending);
		tree_index_deinit(&w->more.at[i].counts);
		roaring_bitmap_free(w->more.at[i].conditions);
		roaring_bitmap_free(w->more.at[i].full);
		roaring_bitmap_free(w->more.at[i].fresh);
	}
	vec_deinit(&w->more);
	tree_index_deinit(&w->index);
	tree_missed_deinit(w);
	if (w->e)
		sides_table_deinit(&w->sides);
	refute_cache_destroy(w->cache);
	solver_destroy(w->solver);
	symbolic_destroy(w->symbolic);
	terms_destroy(w->terms);
	execution_destroy(w->e);
	free(w->correct);
	free(w);
}

void tree_forget_words(struct tree_node *n)
{
	for (uint32_t i = 0; i < n->statements.size; i++) {
		free(n->statements.at[i].file);
		free(n->statements.at[i].function);
		free(n->statements.at[i].text);
	}
	vec_deinit(&n->statements);
	free(n->file);
	free(n->via_file);
	free(n->function);
	free(n->wanted);
	free(n->numbers);
	n->file = n->via_file = n->function = n->wanted = n->numbers = NULL;
	n->described = false;
}

static void deinit_node(struct tree_node *n)
{
	tree_forget_words(n);
	for (uint32_t i = 0; i < n->proofs.size; i++)
		tree_proof_deinit(&n->proofs.at[i]);
	vec_deinit(&n->conditions);
	vec_deinit(&n->cause);
	vec_deinit(&n->core);
	vec_deinit(&n->conjuncts);
	vec_deinit(&n->children);
	vec_deinit(&n->again);
	vec_deinit(&n->proofs);
}

void tree_deinit(struct tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		deinit_node(&tree->nodes.at[i]);
	vec_deinit(&tree->nodes);
	for (uint32_t i = 0; i < tree->notes.size; i++)
		free(tree->notes.at[i]);
	vec_deinit(&tree->notes);
	violation_deinit(&tree->violation);
	if (tree->work)
		deinit_work(tree->work);
	*tree = (struct tree){0};
}

struct symbolic *tree_symbolic(const struct tree *tree)
{
	return tree->work->symbolic;
}

struct solver *tree_solver(const struct tree *tree)
{
	return tree->work->solver;
}
