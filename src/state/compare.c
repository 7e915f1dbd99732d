/* Compares two states: see state.h. */
#include "state/compare.h"

/* --- leaves --- */

bool leaf_is_known(const struct state_diff *d, const struct state_leaf *l, bool second)
{
	const struct state_object *o = leaf_object(d, l, second);
	uint64_t at = second ? l->at_b : l->at_a, size = second ? l->size_b : l->size_a;

	if (!state_bytes(o, at, size))
		return false;
	if (at >= o->size || l->shape == LEAF_TEXT || l->shape == LEAF_BYTES)
		return true;
	return !state_is_undefined(o, 8 * at + l->bit, l->bits ? l->bits : 8 * size);
}

const struct state_edge *leaf_edge(const struct state_diff *d, const struct state_leaf *l,
                                   bool second)
{
	return state_edge_at(second ? d->b : d->a, leaf_object(d, l, second),
	                     second ? l->at_b : l->at_a);
}

uint64_t leaf_word(const struct state_diff *d, const struct state_leaf *l, bool second)
{
	uint64_t word;

	memcpy(&word,
	       state_bytes(leaf_object(d, l, second), second ? l->at_b : l->at_a, sizeof(word)),
	       sizeof(word));
	return word;
}

void compare_leaf(struct state_diff *d, const struct state_leaf *leaf)
{
	*vec_push(&d->leaves) = *leaf;
}

/* --- differences --- */

/* Must what a pointer leads to be created in the other run? */
static bool is_created(const struct state *s, const struct state_edge *edge,
                       const struct state *other)
{
	const struct state_object *o = &s->objects.at[edge->target];

	return !o->dead && !pairs_elsewhere(s, o, other);
}

static enum difference_kind kind_of(const struct state_diff *d, const struct state_leaf *l)
{
	bool known_a = leaf_is_known(d, l, false), known_b = leaf_is_known(d, l, true);
	const struct state_edge *a, *b;

	if (!known_a || !known_b) {
		if (!known_a && l->at_a >= leaf_object(d, l, false)->size)
			return DIFFERENCE_MISSING;
		if (!known_b && l->at_b >= leaf_object(d, l, true)->size)
			return DIFFERENCE_EXTRA;
		return DIFFERENCE_VALUE;
	}
	if (l->shape == LEAF_TEXT)
		return DIFFERENCE_TEXT;
	if (l->shape != LEAF_POINTER)
		return DIFFERENCE_VALUE;
	a = leaf_edge(d, l, false);
	b = leaf_edge(d, l, true);
	if (a && !d->match_a[a->target] && is_created(d->a, a, d->b))
		return DIFFERENCE_EXTRA;
	if (b && !d->match_b[b->target] && is_created(d->b, b, d->a))
		return DIFFERENCE_MISSING;
	return DIFFERENCE_POINTER;
}

static void describe(struct state_diff *d, const struct state_leaf *l, struct difference *out)
{
	const struct state_object *a = leaf_object(d, l, false), *b = leaf_object(d, l, true);
	const struct state_pair *pair = &d->pairs.at[l->pair];

	out->kind = kind_of(d, l);
	out->name = express_leaf(d, l);
	out->a = value_of_leaf(d, l, false);
	out->b = value_of_leaf(d, l, true);
	if (!pair->from && a->frame) {
		out->function = mem_strdup(d->a->frames.at[a->frame - 1].function);
		out->depth = d->a->frames.size - a->frame;
	}
	out->a_address = a->address + l->at_a;
	out->b_address = b->address + l->at_b;
	out->size = l->size_a;
	out->b_size = l->size_b;
	out->a_written = state_written(d->a, a, l->at_a, l->size_a);
	out->b_written = state_written(d->b, b, l->at_b, l->size_b);
	out->file = a->variable ? a->variable->file : NULL;
	out->a_text = l->text ? a->address + l->text - 1 : 0;
}

struct state_diff *compare_begin(const struct state *a, const struct state *b,
                                 const struct alignment *alignment)
{
	struct state_diff *d = mem_alloc(sizeof(*d));

	d->a = a;
	d->b = b;
	d->alignment = alignment;
	pairs_match(d);
	pairs_walk(d);
	return d;
}

struct state_diff *states_compare(const struct state *a, const struct state *b,
                                  const struct alignment *alignment)
{
	struct state_diff *d = compare_begin(a, b, alignment);

	vec_reserve(&d->all, d->leaves.size);
	for (uint32_t i = 0; i < d->leaves.size; i++)
		describe(d, &d->leaves.at[i], vec_push(&d->all));
	return d;
}

void state_diff_destroy(struct state_diff *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->all.size; i++) {
		free(d->all.at[i].name);
		free(d->all.at[i].a);
		free(d->all.at[i].b);
		free(d->all.at[i].function);
	}
	vec_deinit(&d->pairs);
	vec_deinit(&d->late);
	vec_deinit(&d->leaves);
	vec_deinit(&d->all);
	vec_deinit(&d->news);
	vec_deinit(&d->changes);
	vec_deinit(&d->open);
	arena_deinit(&d->arena);
	arena_deinit(&d->work);
	free(d);
}

const struct difference *state_diff_all(const struct state_diff *d, uint32_t *count)
{
	*count = d->all.size;
	return d->all.at;
}

/* --- what is not known --- */

#define MOST_BEYOND (64u << 10) /* bytes behind the end of one object */

static void ask(struct state *s, uint32_t object, uint64_t at, uint64_t size)
{
	struct state_object *o = &s->objects.at[object];
	struct reading *last = s->unknown.size ? &s->unknown.at[s->unknown.size - 1] : NULL;
	uint32_t before = last ? s->unknown_object.at[s->unknown.size - 1] : 0;
	struct reading *reading;

	if (at >= o->size) {
		size += at - o->size;
		at = o->size;
	}
	if (size > MOST_BEYOND || at + size > o->size + MOST_BEYOND)
		return;
	if (last && before == object && last->address + last->size >= o->address + at) {
		if (o->address + at + size > last->address + last->size)
			last->size = (uint32_t)(o->address + at + size - last->address);
		return;
	}
	reading = vec_push(&s->unknown);
	reading->address = o->address + at;
	reading->size = (uint32_t)size;
	*vec_push(&s->unknown_object) = object;
}

const struct reading *states_unknown(struct state *a, struct state *b,
                                     const struct alignment *alignment, bool second,
                                     uint32_t *count)
{
	struct state_diff *d = compare_begin(a, b, alignment);
	struct state *s = second ? b : a;

	s->unknown.size = s->unknown_object.size = 0;
	for (uint32_t i = 0; i < d->leaves.size; i++) {
		const struct state_leaf *l = &d->leaves.at[i];
		const struct state_pair *pair = &d->pairs.at[l->pair];

		if (!leaf_is_known(d, l, second))
			ask(s, second ? pair->b : pair->a, second ? l->at_b : l->at_a,
			    second ? l->size_b : l->size_a);
	}
	state_diff_destroy(d);
	*count = s->unknown.size;
	return s->unknown.size ? s->unknown.at : NULL;
}

/* Bytes in the object, and behind its end. */
static void know(struct state_object *o, uint64_t at, uint64_t size, const uint8_t *bytes)
{
	uint64_t inside = at >= o->size ? 0 : o->size - at < size ? o->size - at : size;

	if (inside) {
		memcpy(o->bytes + at, bytes, inside);
		if (o->undefined)
			memset(o->undefined + at, 0, inside);
	}
	if (inside == size)
		return;
	free(o->beyond);
	o->beyond_size = at + size - o->size;
	o->beyond = mem_alloc(o->beyond_size);
	memcpy(o->beyond, bytes + inside, size - inside);
}

void state_know(struct state *s, const uint8_t *bytes)
{
	for (uint32_t i = 0; i < s->unknown.size; i++) {
		struct state_object *o = &s->objects.at[s->unknown_object.at[i]];
		const struct reading *r = &s->unknown.at[i];

		know(o, r->address - o->address, r->size, bytes);
		bytes += r->size;
	}
	s->unknown.size = s->unknown_object.size = 0;
}
