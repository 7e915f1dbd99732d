/* The causes of a tree as part of an explanation: see tree_report.h. */
#include <stdlib.h>
#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "causes/explain_work.h"
#include "causes/suspects.h"
#include "causes/tree_report.h"
#include "report/explanation_words.h"

#define MOST_UNSEEN 3u /* that are told */

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

static bool same_line(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
}

static bool is_branch(const struct cause_proof *proof)
{
	return !strcmp(proof->kind, "branch");
}

/* --- steps --- */

static bool is_truth(const struct cause_proof *proof)
{
	return explain_same_text(proof->to, "true") || explain_same_text(proof->to, "false");
}

/* A parameter is put into its place by no statement: it is changed where its function begins. */
static bool is_parameter(const struct cause_proof *proof)
{
	return same_line(&proof->at, &proof->point) && proof->at.column == proof->point.column;
}

/* Is what was changed what the child decides about? */
static bool follows(const struct cause_proof *proof, const struct cause_node *child)
{
	return is_branch(proof) || !child->via.file ||
	       (same_line(&proof->at, &child->via) && !is_parameter(proof));
}

/* Of an if or a loop, that its condition went wrong; then what follows from the step before (of `child`; NULL:
   none); then which value would have been right. */
static unsigned worth(const struct cause_proof *proof, const struct cause_node *child)
{
	if (is_branch(proof))
		return is_truth(proof) ? 4 : 1;
	return child && follows(proof, child) ? 3 : 2;
}

/* The experiment that tells most; NULL: none counts. */
static const struct cause_proof *best_proof(const struct cause_node *node,
                                            const struct cause_node *child)
{
	const struct cause_proof *best = NULL;

	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof->counts && (!best || worth(proof, child) > worth(best, child)))
			best = proof;
	}
	return best;
}

static struct explanation_proof convert_proof(const struct cause_proof *proof)
{
	return (struct explanation_proof){
		.experiment = proof->experiment,
		.changed = copy(proof->changed),
		.from = copy(proof->from),
		.to = copy(proof->to),
		.in = "failing",
		.outcome = proof->outcome,
		.whole = true,
		.at = explain_copy_place(&proof->point),
		.instance = proof->point_instance,
		.time = proof->point_time,
	};
}

/* Others were counted before those of the tree. */
static void renumber(struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		for (uint32_t k = 0; k < e->steps.at[i].proofs.size; k++)
			e->steps.at[i].proofs.at[k].experiment += e->stats.experiments;
}

static void add_step(const struct cause_node *node, const struct cause_proof *proof,
                     struct explanation *out)
{
	struct explanation_step *step = vec_push(&out->steps);

	step->kind = is_branch(proof) ? "branch" : "value";
	step->method = "tree";
	step->at = explain_copy_place(&proof->point);
	step->instance = proof->point_instance;
	step->time = proof->point_time;
	step->transition = true;
	step->cause = explain_copy_place(&proof->at);
	if (!is_branch(proof))
		step->statement = str_format("%s = %s", proof->changed, proof->from);
	*vec_push(&step->values) = (struct explanation_value){.name = copy(proof->changed),
	                                                      .failing = copy(proof->from),
	                                                      .reference = copy(proof->to),
	                                                      .function = copy(node->at.function)};
	*vec_push(&step->proofs) = convert_proof(proof);
	step->proven = true;
}

/* Of the proven nodes the one that lies furthest from the failure; NULL: none is. */
static const struct cause_node *find_origin(const struct cause_tree *tree)
{
	const struct cause_node *found = NULL;

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		if (tree->nodes.at[i].proven && best_proof(&tree->nodes.at[i], NULL) &&
		    (!found || tree->nodes.at[i].level > found->level))
			found = &tree->nodes.at[i];
	return found;
}

static bool has_step(const struct explanation *e, const struct cause_proof *proof)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (e->steps.at[i].proofs.size &&
		    e->steps.at[i].proofs.at[0].experiment == proof->experiment)
			return true;
	return false;
}

/* What the failure shows. */
static void add_failure(const struct cause_tree *tree, struct explanation *out)
{
	struct explanation_step *step = vec_push(&out->steps);
	const char *kind = out->failure.kind ? out->failure.kind : tree->failure;

	step->kind = explain_same_text(kind, "wrong-output") ? "output" : kind;
	step->what = mem_strdup(tree->what ? tree->what : "the program fails");
	step->observed = true;
	step->at = explain_copy_place(&tree->nodes.at[0].at);
	if (!out->failure.at.file)
		out->failure.at = explain_copy_place(&tree->nodes.at[0].at);
}

static void drop_steps(struct explanation *out)
{
	for (uint32_t i = 0; i < out->steps.size; i++)
		explanation_step_deinit(&out->steps.at[i]);
	out->steps.size = 0;
}

static const struct cause_proof *find_proof(const struct cause_node *node, uint64_t experiment)
{
	for (uint32_t i = 0; i < node->proofs.size && experiment; i++)
		if (node->proofs.at[i].experiment == experiment)
			return &node->proofs.at[i];
	return NULL;
}

/* Was the value made of the other one? */
static bool comes_from(const struct cause_node *node, const struct cause_proof *proof,
                       const struct cause_proof *other)
{
	while (proof && proof != other)
		proof = find_proof(node, proof->after);
	return proof;
}

/* The value that is nearest to the failure, of those that were made of this one. */
static const struct cause_proof *find_last(const struct cause_node *node,
                                           const struct cause_proof *first)
{
	const struct cause_proof *last = first;

	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof->counts && proof->time > last->time && comes_from(node, proof, first))
			last = proof;
	}
	return last;
}

/* Values of a node of which each was made of the one before, up to `last`; from `first` on, or if that is NULL from
   the earliest. */
static void add_values(const struct cause_node *node, const struct cause_proof *first,
                       const struct cause_proof *last, struct explanation *out)
{
	const struct cause_proof *before = find_proof(node, last->after);

	if (last != first && before)
		add_values(node, first, before, out);
	if (!has_step(out, last))
		add_step(node, last, out);
}

/* What is told of a node; `child` is what led to it, and its step the last so far. */
static void add_node(const struct cause_node *node, const struct cause_node *child,
                     struct explanation *out)
{
	const struct cause_proof *proof = best_proof(node, child);
	bool follows_it = proof && child && follows(proof, child);
	uint32_t count = out->steps.size;

	if (!proof)
		return;
	if (is_branch(proof) && !has_step(out, proof))
		add_step(node, proof, out);
	else if (!is_branch(proof))
		add_values(node, follows_it ? proof : NULL, find_last(node, proof), out);
	if (out->steps.size > count)
		out->steps.at[count].apart = child && !follows_it;
}

/* The way from the origin to the failure. What others told before was not proven. */
static void add_steps(const struct cause_tree *tree, struct explanation *out)
{
	const struct cause_node *node = find_origin(tree), *child = NULL;

	/* Where the failure shows is known even if nothing else is. */
	if (!node && !out->steps.size)
		add_failure(tree, out);
	if (!node)
		return;
	drop_steps(out);
	suspects_forget(out, SUSPECT_OF_CHAIN);
	for (; node; node = cause_tree_node(tree, node->parent)) {
		add_node(node, child, out);
		child = node;
	}
	renumber(out);
	add_failure(tree, out);
}

/* --- what a comparison cannot see --- */

static bool is_in_steps(const struct explanation *e, const struct explanation_place *place)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (same_line(&e->steps.at[i].at, place) || same_line(&e->steps.at[i].cause, place))
			return true;
	return false;
}

static bool is_unseen(const struct explanation *e, const struct cause_node *node)
{
	return (!strcmp(node->reason, "indirect") || !strcmp(node->reason, "missed")) &&
	       node->at.file && !is_in_steps(e, &node->at);
}

static void note_unseen(const struct cause_tree *tree, struct explanation *out)
{
	struct str text = STR_INIT;
	uint32_t count = 0;

	for (uint32_t i = 0; i < tree->nodes.size && count < MOST_UNSEEN; i++) {
		const struct cause_node *node = &tree->nodes.at[i];
		struct explanation_place at = node->at;

		if (!is_unseen(out, node))
			continue;
		at.column = 0;
		str_add(&text,
		        count++ ? ", " : "not executed, but might have mattered: what hangs on ");
		explanation_add_place(&text, &at);
		/* Where a write should have gone says nothing to who does not know the addresses. */
		if (node->wanted && strcmp(node->reason, "missed"))
			str_printf(&text, " (%s)", node->wanted);
	}
	if (count)
		*vec_push(&out->notes) = str_steal(&text);
	str_deinit(&text);
}

/* --- the whole --- */

void explain_add_tree(struct cause_tree *tree, bool steps, struct explanation *out)
{
	assert(!out->tree);
	out->tree = tree;
	if (!tree->nodes.size)
		return;
	if (steps)
		add_steps(tree, out);
	else
		note_unseen(tree, out);
	suspects_add_tree(out, tree);
	suspects_settle(out);
	out->stats.experiments += tree->stats.experiments;
}
