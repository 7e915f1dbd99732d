/*
 * What a claim is followed through, up to a cut. Where a part of it is a constant there, only what makes it
 * one counts: of a product with 0 that factor, of a choice its condition and the arm it takes.
 */
#include "solve/refute_work.h"
#include "solve/term_work.h"

static struct refute_known known(const struct refute_cache *cache, term t)
{
	return t ? cache->known.at[t] : (struct refute_known){.since = REFUTE_ALWAYS};
}

static bool meet(struct refute_cache *cache, term t)
{
	uint32_t was = cache->met.size;

	if (t >= was) {
		vec_reserve(&cache->met, t + 1);
		memset(&cache->met.at[was], 0, (t + 1 - was) * sizeof(*cache->met.at));
		cache->met.size = t + 1;
	}
	if (cache->met.at[t] == cache->walk)
		return false;
	cache->met.at[t] = cache->walk;
	return true;
}

static void push(struct refute_cache *cache, term t)
{
	if (t && known(cache, t).since != REFUTE_ALWAYS && meet(cache, t))
		*vec_push(&cache->stack) = t;
}

static bool is_constant(const struct refute_cache *cache, term t, uint32_t cut)
{
	return known(cache, t).since > cut;
}

static bool decides(const struct refute_cache *cache, const struct term_node *n, term operand,
                    uint32_t cut)
{
	uint64_t value = known(cache, operand).value;

	if (!operand || !is_constant(cache, operand, cut))
		return false;
	if (n->op == TERM_AND || n->op == TERM_MUL)
		return !value;
	return n->op == TERM_OR && value == term_mask(n->bits);
}

/* The operand that decides alone, of two the one that does so later; 0: none. */
static term deciding(const struct refute_cache *cache, const struct term_node *n, uint32_t cut)
{
	bool a = decides(cache, n, n->a, cut), b = decides(cache, n, n->b, cut);

	if (a && b)
		return known(cache, n->b).since > known(cache, n->a).since ? n->b : n->a;
	return a ? n->a : b ? n->b : 0;
}

static void follow_choice(struct refute_cache *cache, const struct term_node *n, uint32_t cut)
{
	bool same = known(cache, n->b).value == known(cache, n->c).value &&
	            is_constant(cache, n->b, cut) && is_constant(cache, n->c, cut);

	if (is_constant(cache, n->a, cut)) {
		push(cache, n->a);
		push(cache, known(cache, n->a).value ? n->b : n->c);
		return;
	}
	if (!same)
		push(cache, n->a);
	push(cache, n->b);
	push(cache, n->c);
}

static void follow_operation(struct refute_cache *cache, const struct term_node *n, uint32_t cut)
{
	term one = deciding(cache, n, cut);

	if (n->op == TERM_CHOICE) {
		follow_choice(cache, n, cut);
	} else if (one) {
		push(cache, one);
	} else {
		push(cache, n->a);
		push(cache, n->b);
	}
}

void refute_follow(struct refute_cache *cache, term root, uint32_t cut, bool more,
                   struct refute_symbols *out)
{
	const struct terms *terms = symbolic_terms(cache->symbolic);

	if (!more)
		cache->walk++;
	cache->stack.size = 0;
	push(cache, root);
	while (cache->stack.size) {
		struct term_node n = *term_at(terms, cache->stack.at[--cache->stack.size]);

		if (n.op != TERM_VARIABLE) {
			follow_operation(cache, &n, cut);
			continue;
		}
		if (n.value >= TERM_ANY || refute_position(cache, n.value) < cut)
			continue;
		*vec_push(&out->at) = n.value;
		push(cache, refute_definition(cache, n.value));
	}
}

struct at_cut {
	struct refute_cache *cache;
	uint32_t cut;
};

static term replace_symbol(void *context, uint64_t number)
{
	struct at_cut *at = context;

	if (number >= TERM_ANY)
		return 0;
	if (refute_position(at->cache, number) < at->cut && !refute_is_fixed(at->cache, number))
		return 0;
	return refute_definition(at->cache, number);
}

void refute_replace(struct refute_cache *cache, term *all, uint32_t count, uint32_t cut)
{
	struct at_cut at = {cache, cut};

	term_replace_all(symbolic_terms(cache->symbolic), all, count, replace_symbol, &at);
}
