/* What a cause tree tells about where to look first: see suspects.h. */
#include "causes/explain_work.h"
#include "causes/suspects.h"
#include "report/cause_tree.h"

#define NEARER                                                                                     \
	0.80 /* for each level that it lies nearer to the failure than the deepest that is proven */
#define NEXT 0.95 /* for each condition of its kind that comes first */

static uint32_t deepest_proven(const struct cause_tree *tree)
{
	uint32_t deepest = 0;

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		if (tree->nodes.at[i].proven && tree->nodes.at[i].level > deepest)
			deepest = tree->nodes.at[i].level;
	return deepest;
}

static char *proven_reason(const struct cause_proof *proof)
{
	struct str text = STR_INIT;

	cause_proof_add_change(proof, &text);
	str_add(&text, " the run passes");
	return str_steal(&text);
}

static char *open_reason(const struct cause_node *node)
{
	return str_format("%s would avoid it, or what leads to it (not proven)",
	                  node->wanted ? node->wanted : "another way");
}

/* The further from the failure, the better: what is near it often only hands on what is wrong. How often a line can be
   changed so that the run passes does not count: one that computes a hundred values is no more suspicious for it. */
static void add_node(struct explanation *e, const struct cause_node *node, uint32_t deepest)
{
	double factor = 1;

	for (uint32_t level = node->level; level < deepest; level++)
		factor *= NEARER;
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof->counts)
			suspects_add(e, &proof->at,
			             strcmp(proof->kind, "branch") ? SUSPECT_TREE_VALUE
			                                           : SUSPECT_TREE_BRANCH,
			             factor, proven_reason(proof));
	}
}

void suspects_add_tree(struct explanation *e, const struct cause_tree *tree)
{
	uint32_t deepest = deepest_proven(tree);
	double factor = 1;

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		if (node->proven) {
			add_node(e, node, deepest);
		} else if (i && node->at.file) {
			suspects_add(e, &node->at, SUSPECT_TREE_OPEN, factor, open_reason(node));
			factor *= NEXT;
		}
	}
}
