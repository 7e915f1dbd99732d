/*
 * A tree of what may come: the root is the state of the search, the children of a state are what it
 * becomes with each verdict. The likeliest are looked at first, until enough sets are found.
 */
#include <assert.h>

#include "dd/ahead.h"

#define LEAST 0.02 /* a state that is less likely is not worth a test */

/* A state that may come. It is made from its parent's only when its turn comes. */
struct leaf {
	uint32_t parent; /* of nodes; the root has itself */
	enum verdict verdict;
	double chance;
};

struct tree {
	VEC(struct dd_state) nodes; /* the root is not in it, see node_of() */
	VEC(struct leaf) leaves;
	const struct dd_state *root;
};

/* Node 0 is the root. */
static const struct dd_state *node_of(const struct tree *tree, uint32_t node)
{
	return node ? &tree->nodes.at[node - 1] : tree->root;
}

static void add_leaf(struct tree *tree, uint32_t parent, enum verdict verdict, double chance)
{
	if (chance >= LEAST)
		*vec_push(&tree->leaves) = (struct leaf){parent, verdict, chance};
}

/* Takes out the likeliest leaf, of equal ones the oldest, and makes its state. 0: there is none. */
static uint32_t grow(struct tree *tree, double *chance)
{
	struct leaf best;
	struct dd_state state;
	uint32_t at = 0;

	if (!tree->leaves.size)
		return 0;
	for (uint32_t i = 1; i < tree->leaves.size; i++)
		if (tree->leaves.at[i].chance > tree->leaves.at[at].chance)
			at = i;
	best = tree->leaves.at[at];
	memmove(&tree->leaves.at[at], &tree->leaves.at[at + 1],
	        sizeof(struct leaf) * (tree->leaves.size - at - 1));
	tree->leaves.size--;
	*chance = best.chance;
	dd_state_copy(&state, node_of(tree, best.parent));
	state.tell(&state, best.verdict);
	*vec_push(&tree->nodes) = state;
	return tree->nodes.size;
}

static void want(struct dd_ahead *ahead, const struct dd_set *set, uint64_t hash)
{
	struct dd_wanted wanted = {.hash = hash};

	for (uint32_t i = 0; i < ahead->sets.size; i++)
		if (ahead->sets.at[i].hash == hash && dd_set_equal(&ahead->sets.at[i].set, set))
			return;
	dd_set_copy(&wanted.set, set);
	*vec_push(&ahead->sets) = wanted;
}

static void tree_deinit(struct tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		dd_state_deinit(&tree->nodes.at[i]);
	vec_deinit(&tree->nodes);
	vec_deinit(&tree->leaves);
}

void dd_ahead_find(const struct dd_state *state, uint32_t room,
                   bool (*known)(void *context, const struct dd_set *set, uint64_t hash,
                                 enum verdict *out),
                   void *context, struct dd_ahead *out)
{
	struct tree tree = {.root = state};
	uint32_t node = 0, most = 4 * room + 8;
	double chance = 1;

	assert(!state->done);
	*out = (struct dd_ahead){0};
	do {
		const struct dd_state *now = node_of(&tree, node);
		enum verdict verdict;
		uint64_t hash;

		if (now->done)
			continue;
		hash = dd_set_hash(&now->candidate);
		if (known(context, &now->candidate, hash, &verdict)) {
			add_leaf(&tree, node, verdict, chance);
			continue;
		}
		want(out, &now->candidate, hash);
		for (enum verdict v = VERDICT_PASS; v <= VERDICT_UNRESOLVED; v++)
			add_leaf(&tree, node, v, chance * now->chance[v]);
	} while (out->sets.size < room && tree.nodes.size < most && (node = grow(&tree, &chance)));
	tree_deinit(&tree);
}

void dd_ahead_deinit(struct dd_ahead *ahead)
{
	for (uint32_t i = 0; i < ahead->sets.size; i++)
		dd_set_deinit(&ahead->sets.at[i].set);
	vec_deinit(&ahead->sets);
}
