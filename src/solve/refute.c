/* A claim refuted: where it folds, whether there is a later contradiction, and which instances are behind it. */
#include "solve/refute.h"
#include "solve/refute_work.h"

#define MOST_SHOWN 3000 /* definitions in the conjuncts of a refutation */

void refutation_deinit(struct refutation *refutation)
{
	vec_deinit(&refutation->core);
	vec_deinit(&refutation->transforming);
	vec_deinit(&refutation->conjuncts);
}

static int compare_later_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x < y) - (x > y);
}

static void list_transforming(struct refute_cache *cache, const struct refute_symbols *symbols,
                              struct refutation *out)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < symbols->at.size; i++)
		*vec_push(&out->transforming) =
			symbolic_symbol(cache->symbolic, (uint32_t)symbols->at.at[i])->instance;
	if (out->transforming.size)
		qsort(out->transforming.at, out->transforming.size, sizeof(uint32_t),
		      compare_later_first);
	for (uint32_t i = 0; i < out->transforming.size; i++)
		if (!kept || out->transforming.at[i] != out->transforming.at[kept - 1])
			out->transforming.at[kept++] = out->transforming.at[i];
	out->transforming.size = kept;
}

/* A claim or branch, and that the symbols it is followed through are what they are defined as. */
static void add_conjunct(struct refute_cache *cache, term t, uint32_t cut, struct refutation *out)
{
	struct terms *terms = symbolic_terms(cache->symbolic);
	struct refute_symbols symbols = {0};

	refute_follow(cache, t, cut, false, &symbols);
	for (uint32_t i = 0; i < symbols.at.size; i++) {
		uint64_t number = symbols.at.at[i];
		uint32_t bits = symbolic_symbol(cache->symbolic, (uint32_t)number)->bits;
		term equal = term_make(terms, TERM_EQ, 1, term_variable(terms, bits, number),
		                       refute_definition(cache, number), 0);

		t = term_make(terms, TERM_AND, 1, t, equal, 0);
	}
	*vec_push(&out->conjuncts) = t;
	vec_deinit(&symbols.at);
}

/* What is behind the claim and the core at the cut. */
static void explain(struct refute_cache *cache, term claim, const struct refute_later *later,
                    struct refutation *out)
{
	struct refute_symbols symbols = {0};

	refute_follow(cache, claim, out->cut, false, &symbols);
	for (uint32_t i = 0; i < later->core.size; i++) {
		refute_follow(cache, later->core.at[i].term, out->cut, true, &symbols);
		*vec_push(&out->core) = later->core.at[i].instance;
	}
	list_transforming(cache, &symbols, out);
	if (symbols.at.size <= MOST_SHOWN) {
		add_conjunct(cache, claim, out->cut, out);
		for (uint32_t i = 0; i < later->core.size; i++)
			add_conjunct(cache, later->core.at[i].term, out->cut, out);
	}
	vec_deinit(&symbols.at);
}

static enum refuted name_of(const struct refute_later *later, uint32_t fold)
{
	switch (later->how) {
	case LATER_FOLDED: return REFUTED_FOLDED;
	case LATER_SOLVED: return REFUTED_SOLVED;
	case LATER_UNKNOWN: return REFUTED_UNKNOWN;
	default: return fold == REFUTE_NEVER ? REFUTED_NOT : REFUTED_FOLDED;
	}
}

void refute(struct symbolic *symbolic, struct solver *solver,
            const struct refute_question *question, struct refutation *out)
{
	struct refute_cache *cache = refute_cache_for(symbolic, question);
	struct refute_known known = refute_know(cache, question->claim, question->most);
	struct refute_later later = {.how = LATER_NONE, .certain = true};

	*out = (struct refutation){.how = REFUTED_NOT, .limited = cache->limited};
	if (!known.value && known.since != REFUTE_ALWAYS) {
		if (solver)
			refute_search(cache, solver, question, known.since, &later);
		out->how = name_of(&later, known.since);
		out->certain = later.certain && out->how != REFUTED_UNKNOWN;
		if (later.how == LATER_FOLDED || later.how == LATER_SOLVED)
			out->cut = later.cut;
		else
			out->cut = known.since ? known.since - 1 : 0;
	} else if (!known.value) { /* false without the run */
		out->how = REFUTED_FOLDED;
		out->cut = question->before;
		out->certain = true;
	}
	if (out->how == REFUTED_UNKNOWN && known.since == REFUTE_NEVER)
		out->how = REFUTED_NOT;
	if (out->how != REFUTED_NOT)
		explain(cache, question->claim, &later, out);
	vec_deinit(&later.core);
	if (!question->cache)
		refute_cache_destroy(cache);
}
