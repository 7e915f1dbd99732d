/*
 * From the claim backwards, in growing steps, for a contradiction that is later than where the claim folds. Instances
 * that the claim and the branches come from are taken from a heap, the latest first; after the first, second,
 * fourth, ... of them the question at that cut is asked. Between the last cut without and the first
 * with a contradiction it is bisected.
 *
 * What is replaced here was defined before (refute_know()), so the terms of all questions are thrown away together.
 */
#include "solve/refute_heap.h"
#include "solve/refute_work.h"

#define MOST_TAKEN 2048  /* instances */
#define MOST_MADE  40000 /* terms */

MAP_DEFINE_U64(seen_map, bool);

struct search {
	struct refute_cache *cache;
	struct solver *solver;
	struct terms *terms;
	term claim;
	uint32_t fold;                      /* as in refute_known */
	VEC(struct refute_branch) branches; /* all, in the order of the question */
	struct refute_heap heap;
	struct seen_map seen; /* symbols that were in the heap */
	VEC(uint32_t) taken;  /* positions, each once, the last first */
	/* The question. */
	VEC(term) asked;        /* the claim, and branches that matter, at the cut */
	VEC(uint32_t) asked_of; /* the branch of each */
	VEC(term) last;         /* question that could be satisfied */
};

/* --- instances, the latest first --- */

static void add_symbol(void *context, uint64_t number)
{
	struct search *s = context;

	if (number >= TERM_ANY || seen_map_find(&s->seen, number))
		return;
	*seen_map_put(&s->seen, number) = true;
	if (!refute_is_fixed(s->cache, number))
		refute_heap_push(&s->heap, (struct refute_item){refute_position(s->cache, number),
		                                                false, number});
}

/* The next instance, with all that belongs to it, and what that comes from goes into the heap. False: there is
   none that is later than where the claim folds. */
static bool take_instance(struct search *s)
{
	uint32_t position;

	if (!s->heap.items.size || s->heap.items.at[0].position < s->fold)
		return false;
	position = s->heap.items.at[0].position;
	while (s->heap.items.size && s->heap.items.at[0].position == position) {
		struct refute_item item = refute_heap_pop(&s->heap);
		term of = item.is_branch ? s->branches.at[item.number].term
		                         : refute_definition(s->cache, item.number);

		term_variables(s->terms, of, add_symbol, s);
	}
	*vec_push(&s->taken) = position;
	return true;
}

/* --- the question at a cut --- */

struct cone {
	struct seen_map numbers; /* variables */
	bool adding, touched;
};

static void meet_variable(void *context, uint64_t number)
{
	struct cone *cone = context;

	if (cone->adding)
		*seen_map_put(&cone->numbers, number) = true;
	else
		cone->touched |= seen_map_find(&cone->numbers, number) != NULL;
}

static void add_to_cone(struct search *s, struct cone *cone, term t)
{
	cone->adding = true;
	term_variables(s->terms, t, meet_variable, cone);
}

static bool touches_cone(struct search *s, struct cone *cone, term t)
{
	cone->adding = cone->touched = false;
	term_variables(s->terms, t, meet_variable, cone);
	return cone->touched;
}

/* Keeps branches that share variables with the claim, directly or by way of others. */
static void keep_related(struct search *s)
{
	struct cone cone = {0};
	bool *related = mem_alloc(s->asked.size);
	uint32_t kept = 1;

	add_to_cone(s, &cone, s->asked.at[0]);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 1; i < s->asked.size; i++)
			if (!related[i] && touches_cone(s, &cone, s->asked.at[i])) {
				add_to_cone(s, &cone, s->asked.at[i]);
				related[i] = changed = true;
			}
	}
	for (uint32_t i = 1; i < s->asked.size; i++)
		if (related[i]) {
			s->asked.at[kept] = s->asked.at[i];
			s->asked_of.at[kept++] = s->asked_of.at[i];
		}
	s->asked.size = s->asked_of.size = kept;
	seen_map_deinit(&cone.numbers);
	free(related);
}

static void make_question(struct search *s, uint32_t cut)
{
	s->asked.size = s->asked_of.size = 0;
	*vec_push(&s->asked) = s->claim;
	*vec_push(&s->asked_of) = 0;
	for (uint32_t i = 0; i < s->branches.size; i++)
		if (s->branches.at[i].instance >= cut) {
			*vec_push(&s->asked) = s->branches.at[i].term;
			*vec_push(&s->asked_of) = i;
		}
	refute_replace(s->cache, s->asked.at, s->asked.size, cut);
	keep_related(s);
}

/* The same as the last one that could be satisfied? */
static bool is_asked_again(const struct search *s)
{
	return s->last.size == s->asked.size &&
	       !memcmp(s->last.at, s->asked.at, s->asked.size * sizeof(term));
}

static int remember_satisfied(struct search *s)
{
	s->last.size = 0;
	for (uint32_t i = 0; i < s->asked.size; i++)
		*vec_push(&s->last) = s->asked.at[i];
	return LATER_NONE;
}

static int ask(struct search *s, uint32_t cut)
{
	uint64_t value;

	make_question(s, cut);
	if (term_is_constant(s->terms, s->asked.at[0], &value))
		return value ? LATER_NONE : LATER_FOLDED;
	if (is_asked_again(s) || (s->asked.size == 1 && s->fold != REFUTE_NEVER))
		return LATER_NONE;
	switch (solver_check(s->solver, s->asked.at, s->asked.size, symbolic_actual,
	                     s->cache->symbolic)) {
	case SOLVER_UNSATISFIABLE: return LATER_SOLVED;
	case SOLVER_SATISFIABLE: return remember_satisfied(s);
	default: return LATER_UNKNOWN;
	}
}

/* --- the search --- */

/* Takes instances until there are so many. False: there are not. */
static bool take_until(struct search *s, uint32_t count)
{
	while (s->taken.size < count)
		if (!take_instance(s))
			return false;
	return true;
}

/* Cuts of growing distance; *before: how many were taken at the last cut without a contradiction. */
static int gallop(struct search *s, uint32_t *before)
{
	uint32_t base = terms_count(s->terms);
	bool more = true;

	*before = 0;
	for (uint32_t count = 1; more; count *= 2) {
		int how;

		if (count > MOST_TAKEN || terms_count(s->terms) - base > MOST_MADE)
			return LATER_UNKNOWN;
		more = take_until(s, count);
		if (s->taken.size == *before)
			break;
		how = ask(s, s->taken.at[s->taken.size - 1]);
		if (how != LATER_NONE)
			return how;
		*before = s->taken.size;
	}
	return LATER_NONE;
}

/* The latest cut with a contradiction, and how it is one. What the solver cannot say counts as none. */
static int bisect(struct search *s, uint32_t without, int how, uint32_t *out)
{
	uint32_t with = s->taken.size;

	while (with - without > 1) {
		uint32_t middle = without + (with - without) / 2;
		int there = ask(s, s->taken.at[middle - 1]);

		if (there == LATER_FOLDED || there == LATER_SOLVED) {
			with = middle;
			how = there;
		} else {
			without = middle;
		}
	}
	*out = s->taken.at[with - 1];
	return how;
}

static void find_core(struct search *s, struct refute_later *out)
{
	bool *core;

	make_question(s, out->cut);
	core = mem_alloc(s->asked.size);
	solver_core(s->solver, s->asked.at, s->asked.size, 1, core, &out->certain);
	for (uint32_t i = 1; i < s->asked.size; i++)
		if (core[i])
			*vec_push(&out->core) = s->branches.at[s->asked_of.at[i]];
	free(core);
}

static void begin(struct search *s, const struct refute_question *question)
{
	struct symbolic *symbolic = s->cache->symbolic;

	for (uint32_t i = 0; i < question->assumption_count; i++) {
		uint32_t instance = question->assumptions[i];
		term t = instance < question->before
		                 ? symbolic_branch(symbolic, instance, UINT32_MAX)
		                 : 0;

		if (!t || term_is_constant(s->terms, t, NULL))
			continue;
		refute_know(s->cache, t, question->most);
		refute_heap_push(&s->heap, (struct refute_item){instance, true, s->branches.size});
		*vec_push(&s->branches) = (struct refute_branch){instance, i, t};
	}
	term_variables(s->terms, s->claim, add_symbol, s);
}

static void end(struct search *s)
{
	vec_deinit(&s->branches);
	vec_deinit(&s->heap.items);
	vec_deinit(&s->taken);
	vec_deinit(&s->asked);
	vec_deinit(&s->asked_of);
	vec_deinit(&s->last);
	seen_map_deinit(&s->seen);
}

void refute_search(struct refute_cache *cache, struct solver *solver,
                   const struct refute_question *question, uint32_t fold, struct refute_later *out)
{
	struct search s = {.cache = cache,
	                   .solver = solver,
	                   .terms = symbolic_terms(cache->symbolic),
	                   .claim = question->claim,
	                   .fold = fold};
	uint32_t count, before;
	uint64_t made;

	*out = (struct refute_later){.certain = true};
	begin(&s, question);
	count = terms_count(s.terms);
	made = symbolic_made(cache->symbolic);
	out->how = gallop(&s, &before);
	if (out->how == LATER_FOLDED || out->how == LATER_SOLVED)
		out->how = bisect(&s, before, out->how, &out->cut);
	if (out->how == LATER_SOLVED)
		find_core(&s, out);
	end(&s);
	refute_forget(cache, count, made);
}
