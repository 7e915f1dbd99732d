/* Which proven value of a node came from which: see tree.h. */
#include "causes/tree_work.h"

#define MOST 20000u /* instances that are looked at for one value */

struct follow_range {
	uint64_t from, to; /* bytes that matter; both 0: all */
};

MAP_DEFINE_U64(follow_ranges, struct follow_range);

/* A walk back from one value, the latest instance first. */
struct follow {
	const struct tree_work *work;
	const struct tree_node *node;
	roaring_bitmap_t *pending;
	struct follow_ranges ranges; /* of the pending ones */
};

/* Does the experiment show that another value there makes the run pass? */
static bool is_link(const struct tree_proof *proof)
{
	return proof->counts && !proof->branch;
}

/* The experiment that changed what this instance stored; 0: none. */
static uint64_t find_proof(const struct tree_node *node, uint32_t instance)
{
	for (uint32_t i = 0; i < node->proofs.size; i++)
		if (node->proofs.at[i].instance == instance && is_link(&node->proofs.at[i]))
			return node->proofs.at[i].experiment;
	return 0;
}

static void widen(struct follow_range *range, bool known, uint64_t from, uint64_t to)
{
	if (!known) {
		*range = (struct follow_range){from, to};
	} else if (!to || !range->to) {
		*range = (struct follow_range){0, 0};
	} else {
		range->from = from < range->from ? from : range->from;
		range->to = to > range->to ? to : range->to;
	}
}

static void take(void *context, const struct execution_origin *origin)
{
	struct follow *f = context;
	bool ranged = origin->size && origin->written;

	if (origin->itself || origin->source < EXECUTION_FIRST ||
	    !tree_keeps(f->work, origin->source))
		return;
	widen(follow_ranges_put(&f->ranges, origin->source),
	      roaring_bitmap_contains(f->pending, origin->source), ranged ? origin->written : 0,
	      ranged ? origin->written + origin->size : 0);
	roaring_bitmap_add(f->pending, origin->source);
}

/* The experiment whose value is the nearest that this one came from; 0: none. */
static uint64_t follow(struct follow *f, const struct tree_proof *proof)
{
	uint64_t found = 0;

	execution_origins(f->work->e, proof->instance, 0, 0, take, f);
	for (uint32_t i = 0; i < MOST && !found && !roaring_bitmap_is_empty(f->pending); i++) {
		uint32_t instance = roaring_bitmap_maximum(f->pending);
		struct follow_range range = *follow_ranges_find(&f->ranges, instance);

		roaring_bitmap_remove(f->pending, instance);
		found = find_proof(f->node, instance);
		if (!found)
			execution_origins(f->work->e, instance, range.from, range.to, take, f);
	}
	roaring_bitmap_clear(f->pending);
	return found;
}

void tree_follow_proofs(struct tree *tree, uint32_t node)
{
	struct tree_node *n = &tree->nodes.at[node];
	struct follow f = {.work = tree->work, .node = n, .pending = roaring_bitmap_create()};

	for (uint32_t i = 0; i < n->proofs.size; i++) {
		struct tree_proof *proof = &n->proofs.at[i];

		proof->after = is_link(proof) ? follow(&f, proof) : 0;
		follow_ranges_deinit(&f.ranges);
		f.ranges = (struct follow_ranges)MAP_INIT;
	}
	roaring_bitmap_free(f.pending);
}
