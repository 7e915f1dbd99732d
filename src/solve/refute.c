/* A claim refuted: where it folds, whether there is a later contradiction, and which instances it comes from. */
#include "solve/refute.h"

#include <stdbool.h>

#include "base/map.h"
#include "base/vec.h"

/* Where a term becomes a constant: an instance plus one, so that later is more. */
#define REFUTE_NEVER  0u
#define REFUTE_ALWAYS UINT32_MAX

struct refute_known {
	uint64_t value; /* in the run */
	uint32_t since; /* the latest cut, plus one, at which it is a constant */
	uint32_t last;  /* position of its last symbol */
	uint8_t done;
};

struct refute_cache {
	struct symbolic *symbolic;
	bool (*is_fixed)(void *context, uint32_t instance);
	void *context;
	VEC(struct refute_known) known; /* by term */
	VEC(uint32_t) positions;        /* by symbol; 0: not known */
	VEC(term) stack;
	uint64_t defined; /* symbols */
	bool limited;
	/* Nodes and symbols that a walk has met. */
	VEC(uint32_t) met; /* by term: the walk */
	uint32_t walk;
};

/* Symbols at or after a cut that matter for a term: those that it is followed through until it is constant or the cut is
   reached. `more`: what earlier calls have met is left out. */
struct refute_symbols {
	VEC(uint64_t) at; /* numbers */
};

struct refute_branch {
	uint32_t instance;
	uint32_t order; /* in the question */
	term term;
};

struct refute_later {
	enum { LATER_NONE, LATER_FOLDED, LATER_SOLVED, LATER_UNKNOWN } how;
	uint32_t cut;
	VEC(struct refute_branch) core;
	bool certain;
};

struct refute_item {
	uint32_t position;
	bool is_branch;
	uint64_t number; /* of the symbol; of a branch its index */
};

/* The items are freed with vec_deinit(); at 0 is the latest. */
struct refute_heap {
	VEC(struct refute_item) items;
};

/* ------ what a claim is followed through, up to a cut ------ */

/*
 * Where a part of it is a constant there, only what makes it one counts: of a product with 0 that factor, of a
 * choice its condition and the arm it takes.
 */

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

static bool decides_access(const struct refute_cache *cache, const struct term_node *n,
                           term operand, uint32_t cut)
{
	uint64_t value = known(cache, operand).value;

	if (!operand || !is_constant(cache, operand, cut))
		return false;
	if (n->op == TERM_AND || n->op == TERM_MUL)
		return !value;
	return n->op == TERM_OR && value == term_mask(n->bits);
}

/* The operand that decides_access alone, of two the one that does so later; 0: none. */
static term deciding(const struct refute_cache *cache, const struct term_node *n, uint32_t cut)
{
	bool a = decides_access(cache, n, n->a, cut), b = decides_access(cache, n, n->b, cut);

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

static uint32_t refute_position(const struct refute_cache *cache, uint64_t number);
static term refute_definition(struct refute_cache *cache, uint64_t number);

static void refute_follow(struct refute_cache *cache, term root, uint32_t cut, bool more,
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
			term one = deciding(cache, &n, cut);

			if (n.op == TERM_CHOICE) {
				follow_choice(cache, &n, cut);
			} else if (one) {
				push(cache, one);
			} else {
				push(cache, n.a);
				push(cache, n.b);
			}
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

static bool refute_is_fixed(const struct refute_cache *cache, uint64_t number);

static term replace_symbol(void *context, uint64_t number)
{
	struct at_cut *at = context;

	if (number >= TERM_ANY)
		return 0;
	if (refute_position(at->cache, number) < at->cut && !refute_is_fixed(at->cache, number))
		return 0;
	return refute_definition(at->cache, number);
}

/* ------ where terms become constants ------ */

/*
 * At a cut, a symbol is a constant if its position is at or after the cut and its definition is a constant there;
 * an operation if its operands are, or if one of them decides (a factor 0, the condition of a choice and the arm
 * it takes). A term that is a constant has the value that it had in the run. So the latest cut at which a term is
 * constant follows from those of its operands, in one pass and once for each term.
 */

#define USUAL_MOST 1000000

struct refute_cache *refute_cache_create(void)
{
	return mem_alloc(sizeof(struct refute_cache));
}

static void empty_cache(struct refute_cache *cache)
{
	vec_deinit(&cache->known);
	vec_deinit(&cache->positions);
	vec_deinit(&cache->stack);
	vec_deinit(&cache->met);
	*cache = (struct refute_cache){0};
}

void refute_cache_destroy(struct refute_cache *cache)
{
	if (cache)
		empty_cache(cache);
	free(cache);
}

/* Takes the cache of the question, emptied if it was about something else, or a new one. The caller
   destroys it if the question had none. */
static struct refute_cache *refute_cache_for(struct symbolic *symbolic,
                                             const struct refute_question *question)
{
	struct refute_cache *cache = question->cache ? question->cache : refute_cache_create();

	if (cache->symbolic != symbolic || cache->is_fixed != question->is_fixed ||
	    cache->context != question->context)
		empty_cache(cache);
	cache->symbolic = symbolic;
	cache->is_fixed = question->is_fixed;
	cache->context = question->context;
	return cache;
}

static struct refute_known *known_at(struct refute_cache *cache, term t)
{
	uint32_t was = cache->known.size;

	if (t >= was) {
		vec_reserve(&cache->known, t + 1);
		memset(&cache->known.at[was], 0, (t + 1 - was) * sizeof(*cache->known.at));
		cache->known.size = t + 1;
	}
	return &cache->known.at[t];
}

/* Releases terms that were made for a moment (terms_release()), unless definitions were made since then
   (symbolic_made()): these need theirs. */
static void refute_forget(struct refute_cache *cache, uint32_t count, uint64_t made)
{
	if (symbolic_made(cache->symbolic) != made)
		return;
	terms_release(symbolic_terms(cache->symbolic), count);
	if (cache->known.size > count + 1)
		cache->known.size = count + 1;
	if (cache->met.size > count + 1)
		cache->met.size = count + 1;
}

/* --- symbols --- */

static uint32_t earlier(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Is a symbol as it is, whatever the cut? */
static bool refute_is_fixed(const struct refute_cache *cache, uint64_t number)
{
	uint32_t instance = symbolic_symbol(cache->symbolic, (uint32_t)number)->instance;

	return cache->is_fixed && cache->is_fixed(cache->context, instance);
}

/* A symbol's term as a term over earlier ones: its definition, or a constant. */
static term refute_definition(struct refute_cache *cache, uint64_t number)
{
	struct symbolic *symbolic = cache->symbolic;

	if (!refute_is_fixed(cache, number))
		return symbolic_define(symbolic, (uint32_t)number)->term;
	return term_constant(symbolic_terms(symbolic),
	                     symbolic_symbol(symbolic, (uint32_t)number)->bits,
	                     symbolic_actual(symbolic, number));
}

/* Where in the run a symbol is there: at its instance, or after everything that it is computed from; what a function returns is there
   later than its call. Only for symbols of terms that are known. */
static uint32_t refute_position(const struct refute_cache *cache, uint64_t number)
{
	return number < cache->positions.size ? cache->positions.at[number] : 0;
}

static void keep_position(struct refute_cache *cache, uint64_t number, uint32_t position)
{
	uint32_t was = cache->positions.size;

	if (number >= was) {
		vec_reserve(&cache->positions, (uint32_t)number + 1);
		memset(&cache->positions.at[was], 0,
		       (number + 1 - was) * sizeof(*cache->positions.at));
		cache->positions.size = (uint32_t)number + 1;
	}
	cache->positions.at[number] = position;
}

static void finish(struct refute_cache *cache, term t, struct refute_known known)
{
	known.done = 1;
	*known_at(cache, t) = known;
	cache->stack.size--;
}

static bool is_done(struct refute_cache *cache, term t)
{
	return known_at(cache, t)->done;
}

static void know_variable(struct refute_cache *cache, term t, const struct term_node *n,
                          uint64_t most)
{
	uint64_t value = symbolic_actual(cache->symbolic, n->value) & term_mask(n->bits);
	struct refute_known of;
	uint32_t position;
	term definition;

	if (n->value >= TERM_ANY) {
		finish(cache, t, (struct refute_known){.value = value, .since = REFUTE_NEVER});
		return;
	}
	position = symbolic_symbol(cache->symbolic, (uint32_t)n->value)->instance;
	if (refute_is_fixed(cache, n->value) || cache->defined >= most) {
		cache->limited |= cache->defined >= most;
		keep_position(cache, n->value, position);
		finish(cache, t,
		       (struct refute_known){
			       .value = value, .since = REFUTE_ALWAYS, .last = position});
		return;
	}
	definition = refute_definition(cache, n->value);
	if (!is_done(cache, definition)) {
		*vec_push(&cache->stack) = definition;
		return;
	}
	cache->defined++;
	of = *known_at(cache, definition);
	position = later(position, of.last);
	keep_position(cache, n->value, position);
	finish(cache, t,
	       (struct refute_known){
		       .value = value, .since = earlier(of.since, position + 1), .last = position});
}

/* --- operations --- */

/* Does a value of one operand decide the operation? */
static bool decides(const struct term_node *n, uint64_t value)
{
	if (n->op == TERM_AND || n->op == TERM_MUL)
		return !value;
	return n->op == TERM_OR && value == term_mask(n->bits);
}

static void know_operation(struct refute_cache *cache, term t, const struct term_node *n)
{
	struct refute_known o[3] = {
		{.since = REFUTE_ALWAYS}, {.since = REFUTE_ALWAYS}, {.since = REFUTE_ALWAYS}};
	const term operands[3] = {n->a, n->b, n->c};
	uint32_t width = term_at(symbolic_terms(cache->symbolic), n->a)->bits;
	struct refute_known known = {0};
	uint64_t values[3] = {0};

	for (int i = 0; i < 3 && operands[i]; i++) {
		if (!is_done(cache, operands[i])) {
			*vec_push(&cache->stack) = operands[i];
			return;
		}
		o[i] = *known_at(cache, operands[i]);
		values[i] = o[i].value;
		known.last = later(known.last, o[i].last);
	}
	if (term_compute(n, width, values, &known.value)) {
		/* An operand that is missing counts as constant. */
		uint32_t since = earlier(o[0].since, earlier(o[1].since, o[2].since));

		if (n->op == TERM_CHOICE) {
			since = earlier(o[0].since, o[o[0].value ? 1 : 2].since);
			if (o[1].value == o[2].value)
				since = later(since, earlier(o[1].since, o[2].since));
		}
		for (int i = 0; i < 2; i++)
			if (decides(n, o[i].value))
				since = later(since, o[i].since);
		known.since = since;
	}
	finish(cache, t, known);
}

/* What is known of a term; follows all that it comes from, as far as that was not done. Defines at most `most`
   further symbols. */
static struct refute_known refute_know(struct refute_cache *cache, term root, uint32_t most)
{
	const struct terms *terms = symbolic_terms(cache->symbolic);
	uint64_t limit = cache->defined + (most ? most : USUAL_MOST);

	cache->stack.size = 0;
	*vec_push(&cache->stack) = root;
	while (cache->stack.size) {
		term t = cache->stack.at[cache->stack.size - 1];
		struct term_node n = *term_at(terms, t);

		if (is_done(cache, t))
			cache->stack.size--;
		else if (n.op == TERM_CONSTANT)
			finish(cache, t,
			       (struct refute_known){.value = n.value, .since = REFUTE_ALWAYS});
		else if (n.op == TERM_VARIABLE)
			know_variable(cache, t, &n, limit);
		else
			know_operation(cache, t, &n);
	}
	return *known_at(cache, root);
}

/* ------ a binary heap ------ */

static void swap(struct refute_item *a, struct refute_item *b)
{
	struct refute_item was = *a;

	*a = *b;
	*b = was;
}

static void refute_heap_push(struct refute_heap *heap, struct refute_item item)
{
	struct refute_item *items;
	uint32_t at = heap->items.size;

	*vec_push(&heap->items) = item;
	items = heap->items.at;
	for (; at && items[(at - 1) / 2].position < items[at].position; at = (at - 1) / 2)
		swap(&items[at], &items[(at - 1) / 2]);
}

/* ------ values with which a claim would have been true ------ */

/*
 * The claim becomes a term over the symbols of one instance: those of later ones are replaced by their
 * definitions, all others are what they were. Then values nearby and constants that occur are tried, and the
 * solver is asked for more.
 */

#define MOST_FOLLOWED 400000 /* symbols */
#define MOST_TRIED    4096
#define MOST_STEPS    100000 /* of Z3: there are many instances, and a value is only a proposal */

struct proposing {
	struct refute_cache *cache;
	struct terms *terms;
	uint32_t instance;
	uint32_t followed;
	VEC(uint64_t) free; /* symbols of the instance */
	VEC(uint64_t) found;
	uint64_t tried; /* value of what is free, joined */
	term whole;     /* the same as a term */
	uint32_t bits;
};

static term put_value_for_symbol(void *context, uint64_t number)
{
	struct proposing *p = context;
	const struct symbol *symbol;

	if (number >= TERM_ANY)
		return 0;
	symbol = symbolic_symbol(p->cache->symbolic, (uint32_t)number);
	if (symbol->instance == p->instance) {
		*vec_push(&p->free) = number;
		return 0;
	}
	if (refute_position(p->cache, number) > p->instance && p->followed++ < MOST_FOLLOWED)
		return refute_definition(p->cache, number);
	return term_constant(p->terms, symbol->bits, symbolic_actual(p->cache->symbolic, number));
}

static const struct symbol *free_at(const struct proposing *p, uint32_t i)
{
	return symbolic_symbol(p->cache->symbolic, (uint32_t)p->free.at[i]);
}

/* The lowest byte first; those that lie too far above are left out. */
static void sort_free(struct proposing *p)
{
	uint64_t low;

	for (uint32_t i = 1; i < p->free.size; i++)
		for (uint32_t k = i; k && free_at(p, k)->at < free_at(p, k - 1)->at; k--) {
			uint64_t was = p->free.at[k];

			p->free.at[k] = p->free.at[k - 1];
			p->free.at[k - 1] = was;
		}
	low = free_at(p, 0)->at;
	for (uint32_t i = 1; i < p->free.size; i++)
		if (free_at(p, i)->at != low + i || i >= 8)
			p->free.size = i;
	p->bits = p->free.size == 1 ? free_at(p, 0)->bits : 8 * p->free.size;
}

/* --- by trying --- */

static uint64_t tried_value(void *context, uint64_t number)
{
	struct proposing *p = context;

	for (uint32_t i = 0; i < p->free.size; i++)
		if (p->free.at[i] == number)
			return p->tried >> (8 * i);
	return symbolic_actual(p->cache->symbolic, number);
}

static bool is_found(const struct proposing *p, uint64_t value)
{
	for (uint32_t i = 0; i < p->found.size; i++)
		if (p->found.at[i] == value)
			return true;
	return false;
}

static void try_value(struct proposing *p, term claim, uint64_t value, uint64_t was)
{
	p->tried = value & term_mask(p->bits);
	if (p->tried == was || is_found(p, p->tried))
		return;
	if (term_evaluate(p->terms, claim, tried_value, p))
		*vec_push(&p->found) = p->tried;
}

static uint64_t distance(const struct proposing *p, uint64_t value, uint64_t was)
{
	int64_t apart = term_signed((value - was) & term_mask(p->bits), p->bits);

	return apart < 0 ? -(uint64_t)apart : (uint64_t)apart;
}

/* --- by the solver --- */

/* Z3 takes long for divisions, and there are many instances: then only the walk. */
static bool finds(struct proposing *p, struct solver *solver, const term *all, uint32_t count,
                  bool hard)
{
	struct symbolic *symbolic = p->cache->symbolic;

	if (!hard)
		return solver_check(solver, all, count, symbolic_actual, symbolic) ==
		       SOLVER_SATISFIABLE;
	return solver_try(solver, all, count, symbolic_actual, symbolic);
}

static void propose(struct proposing *p, struct solver *solver, term claim, uint32_t room)
{
	struct solver_variables survey;
	uint64_t was;

	sort_free(p);
	for (uint32_t i = 0; i < p->free.size; i++) {
		const struct symbol *symbol = free_at(p, i);
		term t = term_variable(p->terms, symbol->bits, p->free.at[i]);

		p->whole = p->whole ? term_make(p->terms, TERM_CONCAT, 0, t, p->whole, 0) : t;
	}
	was = term_evaluate(p->terms, p->whole, symbolic_actual, p->cache->symbolic);
	solver_survey(p->terms, &claim, 1, &survey);
	uint32_t left = 1 + MOST_TRIED * 64 / (survey.nodes + 1);

	for (uint32_t near = 1; near <= 4; near++) {
		try_value(p, claim, was + near, was);
		try_value(p, claim, was - near, was);
	}
	try_value(p, claim, 0, was);
	try_value(p, claim, 1, was);
	try_value(p, claim, UINT64_MAX, was);
	try_value(p, claim, -was, was);
	for (uint32_t i = 0; i < survey.constants.size && left > 1; i++, left--)
		for (int near = -1; near <= 1; near++)
			try_value(p, claim, survey.constants.at[i] + (uint64_t)near, was);
	for (uint32_t bit = 0; bit < p->bits && left > 1; bit++, left--)
		try_value(p, claim, UINT64_C(1) << bit, was);
	for (uint32_t i = 1; i < p->found.size; i++)
		for (uint32_t k = i;
		     k && distance(p, p->found.at[k], was) < distance(p, p->found.at[k - 1], was);
		     k--) {
			uint64_t value = p->found.at[k];

			p->found.at[k] = p->found.at[k - 1];
			p->found.at[k - 1] = value;
		}
	if (solver) {
		VEC(term) all = VEC_INIT;
		uint32_t steps = solver_set_steps(solver, MOST_STEPS);

		if (steps < MOST_STEPS)
			solver_set_steps(solver, steps);
		*vec_push(&all) = claim;
		for (uint32_t i = 0; i < p->found.size; i++)
			*vec_push(&all) =
				term_not(p->terms, term_equals(p->terms, p->whole, p->found.at[i]));
		while (p->found.size < room &&
		       finds(p, solver, all.at, all.size, survey.hard > 2)) {
			uint64_t value = solver_value(solver, p->whole);

			if (is_found(p, value))
				break;
			*vec_push(&p->found) = value;
			*vec_push(&all) =
				term_not(p->terms, term_equals(p->terms, p->whole, value));
		}
		solver_set_steps(solver, steps);
		vec_deinit(&all);
	}
	solver_survey_deinit(&survey);
}

uint32_t refute_propose(struct symbolic *symbolic, struct solver *solver,
                        const struct refute_question *question, uint32_t instance, uint64_t *values,
                        uint32_t room)
{
	struct refute_cache *cache = refute_cache_for(symbolic, question);
	struct proposing p = {
		.cache = cache, .terms = symbolic_terms(symbolic), .instance = instance};
	uint32_t count;
	uint64_t made;
	term claim;

	refute_know(cache, question->claim, question->most);
	count = terms_count(p.terms);
	made = symbolic_made(symbolic);
	claim = term_replace(p.terms, question->claim, put_value_for_symbol, &p);
	if (p.free.size && !term_is_constant(p.terms, claim, NULL))
		propose(&p, solver, claim, room);
	refute_forget(cache, count, made);
	if (p.found.size < room)
		room = p.found.size;
	if (room)
		memcpy(values, p.found.at, room * sizeof(*values));
	vec_deinit(&p.free);
	vec_deinit(&p.found);
	if (!question->cache)
		refute_cache_destroy(cache);
	return room;
}

/*
 * From the claim backwards, in growing steps, for a contradiction that is later than where the claim folds.
 * Instances that the claim and the branches come from are taken from a heap, the latest first; after the first,
 * second, fourth, ... of them the solver decides the question at that cut. Between the last cut without and the first with a
 * contradiction it is bisected. What is replaced here was defined before (refute_know()), so the terms of all
 * questions are thrown away together.
 */

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
		/* There must be one. */
		struct refute_heap *heap = &s->heap;
		struct refute_item *items = heap->items.at, item = items[0];
		uint32_t at = 0, size = --heap->items.size;

		items[0] = items[size];
		for (uint32_t child = 1; child < size; child = 2 * at + 1) {
			if (child + 1 < size && items[child + 1].position > items[child].position)
				child++;
			if (items[child].position <= items[at].position)
				break;
			swap(&items[at], &items[child]);
			at = child;
		}
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
	/* Replaces symbols from a cut on, in place. */
	struct at_cut at = {s->cache, cut};

	term_replace_all(symbolic_terms(s->cache->symbolic), s->asked.at, s->asked.size,
	                 replace_symbol, &at);
	/* Keeps branches that share variables with the claim, directly or by way of others. */
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
	/* The same as the last one that could be satisfied? */
	if ((s->last.size == s->asked.size &&
	     !memcmp(s->last.at, s->asked.at, s->asked.size * sizeof(term))) ||
	    (s->asked.size == 1 && s->fold != REFUTE_NEVER))
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

/* Looks for a contradiction at a cut later than `fold` (as in refute_known.since). Caller frees out->core. */
static void refute_search(struct refute_cache *cache, struct solver *solver,
                          const struct refute_question *question, uint32_t fold,
                          struct refute_later *out)
{
	struct search s = {.cache = cache,
	                   .solver = solver,
	                   .terms = symbolic_terms(cache->symbolic),
	                   .claim = question->claim,
	                   .fold = fold};
	uint32_t count, before;
	uint64_t made;

	*out = (struct refute_later){.certain = true};
	struct symbolic *symbolic = s.cache->symbolic;

	for (uint32_t i = 0; i < question->assumption_count; i++) {
		uint32_t instance = question->assumptions[i];
		term t = instance < question->before
		                 ? symbolic_branch(symbolic, instance, UINT32_MAX)
		                 : 0;

		if (!t || term_is_constant(s.terms, t, NULL))
			continue;
		refute_know(s.cache, t, question->most);
		refute_heap_push(&s.heap, (struct refute_item){instance, true, s.branches.size});
		*vec_push(&s.branches) = (struct refute_branch){instance, i, t};
	}
	term_variables(s.terms, s.claim, add_symbol, &s);
	count = terms_count(s.terms);
	made = symbolic_made(cache->symbolic);
	out->how = gallop(&s, &before);
	if (out->how == LATER_FOLDED || out->how == LATER_SOLVED) {
		/* The latest cut with a contradiction, and how it is one. What the solver cannot say counts as none. */
		uint32_t without = before;
		int how = out->how;
		uint32_t with = s.taken.size;

		while (with - without > 1) {
			uint32_t middle = without + (with - without) / 2;
			int there = ask(&s, s.taken.at[middle - 1]);

			if (there == LATER_FOLDED || there == LATER_SOLVED) {
				with = middle;
				how = there;
			} else {
				without = middle;
			}
		}
		out->cut = s.taken.at[with - 1];
		out->how = how;
	}
	if (out->how == LATER_SOLVED) {
		bool *core;

		make_question(&s, out->cut);
		core = mem_alloc(s.asked.size);
		solver_core(s.solver, s.asked.at, s.asked.size, 1, core, &out->certain);
		for (uint32_t i = 1; i < s.asked.size; i++)
			if (core[i])
				*vec_push(&out->core) = s.branches.at[s.asked_of.at[i]];
		free(core);
	}
	vec_deinit(&s.branches);
	vec_deinit(&s.heap.items);
	vec_deinit(&s.taken);
	vec_deinit(&s.asked);
	vec_deinit(&s.asked_of);
	vec_deinit(&s.last);
	seen_map_deinit(&s.seen);
	refute_forget(cache, count, made);
}

/* ------ the whole ------ */

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
	if (out->how != REFUTED_NOT) {
		/* The symbols that the claim and the core depend on at the cut. */
		struct refute_symbols symbols = {0};

		refute_follow(cache, question->claim, out->cut, false, &symbols);
		for (uint32_t i = 0; i < later.core.size; i++) {
			refute_follow(cache, later.core.at[i].term, out->cut, true, &symbols);
			*vec_push(&out->core) = later.core.at[i].instance;
		}
		uint32_t kept = 0;

		for (uint32_t i = 0; i < symbols.at.size; i++)
			*vec_push(&out->transforming) =
				symbolic_symbol(cache->symbolic, (uint32_t)symbols.at.at[i])
					->instance;
		if (out->transforming.size)
			qsort(out->transforming.at, out->transforming.size, sizeof(uint32_t),
			      compare_later_first);
		for (uint32_t i = 0; i < out->transforming.size; i++)
			if (!kept || out->transforming.at[i] != out->transforming.at[kept - 1])
				out->transforming.at[kept++] = out->transforming.at[i];
		out->transforming.size = kept;
		if (symbols.at.size <= MOST_SHOWN) {
			add_conjunct(cache, question->claim, out->cut, out);
			for (uint32_t i = 0; i < later.core.size; i++)
				add_conjunct(cache, later.core.at[i].term, out->cut, out);
		}
		vec_deinit(&symbols.at);
	}
	vec_deinit(&later.core);
	if (!question->cache)
		refute_cache_destroy(cache);
}
