/*
 * Where terms become constants. At a cut, a symbol is a constant if its position is at or behind the cut and its
 * definition is a constant there; an operation if its operands are, or if one of them decides (a factor 0,
 * the condition of a choice and the arm it takes). A term that is a constant has the value that it had in the run. So
 * the latest cut at which a term is constant follows from those of its operands, in one pass and once for each term.
 */
#include "solve/refute_work.h"
#include "solve/term_work.h"

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

struct refute_cache *refute_cache_for(struct symbolic *symbolic,
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

void refute_forget(struct refute_cache *cache, uint32_t count, uint64_t made)
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

bool refute_is_fixed(const struct refute_cache *cache, uint64_t number)
{
	uint32_t instance = symbolic_symbol(cache->symbolic, (uint32_t)number)->instance;

	return cache->is_fixed && cache->is_fixed(cache->context, instance);
}

term refute_definition(struct refute_cache *cache, uint64_t number)
{
	struct symbolic *symbolic = cache->symbolic;

	if (!refute_is_fixed(cache, number))
		return symbolic_define(symbolic, (uint32_t)number)->term;
	return term_constant(symbolic_terms(symbolic),
	                     symbolic_symbol(symbolic, (uint32_t)number)->bits,
	                     symbolic_actual(symbolic, number));
}

uint32_t refute_position(const struct refute_cache *cache, uint64_t number)
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

/* `o`: what is known of the operands; of one that there is not: always constant. */
static uint32_t since_of(const struct term_node *n, const struct refute_known o[3])
{
	uint32_t since = earlier(o[0].since, earlier(o[1].since, o[2].since));

	if (n->op == TERM_CHOICE) {
		since = earlier(o[0].since, o[o[0].value ? 1 : 2].since);
		if (o[1].value == o[2].value)
			since = later(since, earlier(o[1].since, o[2].since));
	}
	for (int i = 0; i < 2; i++)
		if (decides(n, o[i].value))
			since = later(since, o[i].since);
	return since;
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
	if (term_compute(n, width, values, &known.value))
		known.since = since_of(n, o);
	finish(cache, t, known);
}

struct refute_known refute_know(struct refute_cache *cache, term root, uint32_t most)
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
