/*
 * Transplants: the changes that give chosen differences of one run to the other. Pointers are translated
 * to what corresponds there; what exists on one side only is created, with all that it leads to.
 */
#include "state/compare.h"

struct graft {
	struct state_diff *d;
	bool back;
	const struct state *from, *to;
	const uint32_t *match; /* of objects of `from` */
};

/* A place of the run that is changed: in a new object if that is not 0. */
struct spot {
	uint32_t object;
	uint64_t address;
};

/* --- changes --- */

static void put_bytes(const struct graft *g, struct spot at, const uint8_t *bytes, uint64_t size,
                      const uint8_t *mask)
{
	struct change *c = vec_push(&g->d->changes);

	c->kind = CHANGE_BYTES;
	c->object = at.object;
	c->address = at.address;
	c->size = (uint32_t)size;
	c->bytes = bytes;
	c->mask = mask;
}

static void put_word(const struct graft *g, struct spot at, uint64_t word)
{
	uint8_t *bytes = arena_alloc(&g->d->work, sizeof(word));

	memcpy(bytes, &word, sizeof(word));
	put_bytes(g, at, bytes, sizeof(word), NULL);
}

/* A new object for one of the source's. Filled later. */
static uint32_t create(const struct graft *g, uint32_t object)
{
	struct change *c;

	if (g->d->created[object])
		return g->d->created[object];
	c = vec_push(&g->d->news);
	c->kind = CHANGE_NEW;
	c->size = (uint32_t)g->from->objects.at[object].size;
	*vec_push(&g->d->open) = object;
	return g->d->created[object] = g->d->news.size;
}

static void put_new_pointer(const struct graft *g, struct spot at, uint32_t number, int64_t addend)
{
	struct change *c = vec_push(&g->d->changes);

	c->kind = CHANGE_POINTER;
	c->object = at.object;
	c->address = at.address;
	c->size = 8;
	c->target = number;
	c->addend = addend;
}

static void put_pointer(const struct graft *g, struct spot at, const struct state_edge *edge)
{
	const struct state_object *target = &g->from->objects.at[edge->target];
	uint32_t other = g->match[edge->target];
	uint64_t elsewhere = other ? 0 : pairs_elsewhere(g->from, target, g->to);

	if (elsewhere)
		put_word(g, at, elsewhere + (uint64_t)edge->offset);
	else if (other && g->d->grown[other - 1])
		put_new_pointer(g, at, g->d->grown[other - 1], edge->offset);
	else if (other)
		put_word(g, at, g->to->objects.at[other - 1].address + (uint64_t)edge->offset);
	else if (target->dead)
		put_word(g, at, target->address + (uint64_t)edge->offset);
	else
		put_new_pointer(g, at, create(g, edge->target), edge->offset);
}

/* Bits that have a value. NULL: all have. */
static const uint8_t *defined(const struct graft *g, const struct state_object *o, uint64_t at,
                              uint64_t size)
{
	uint8_t *mask;

	if (!o->undefined || !state_is_undefined(o, 8 * at, 8 * size))
		return NULL;
	mask = arena_alloc(&g->d->work, size);
	for (uint64_t k = 0; k < size; k++)
		mask[k] = (uint8_t)~o->undefined[at + k];
	return mask;
}

/* The same function in the other run: of another version of the program it lies elsewhere. */
static uint64_t other_function(const struct graft *g, uint64_t address)
{
	const char *const *name = function_names_find(&g->from->world->functions, address);
	const char *const *same = function_names_find(&g->to->world->functions, address);

	if (!name || (same && !strcmp(*name, *same)))
		return address;
	map_each(&g->to->world->functions, i)
	{
		if (!strcmp(g->to->world->functions.at[i].value, *name))
			return g->to->world->functions.at[i].key;
	}
	return address;
}

/* Functions that words of a part point to, which are no edges. */
static void put_functions(const struct graft *g, struct spot to, const struct state_object *o,
                          uint64_t at, uint64_t size)
{
	for (uint64_t k = (at + 7) & ~7ull; k + 8 <= at + size; k += 8) {
		uint64_t word, other;

		memcpy(&word, o->bytes + k, sizeof(word));
		other = other_function(g, word);
		if (other != word)
			put_word(g, (struct spot){to.object, to.address + k - at}, other);
	}
}

/* Part of an object with the pointers in it. */
static void put_part(const struct graft *g, struct spot to, const struct state_object *o,
                     uint64_t at, uint64_t size)
{
	uint32_t end = o->first_edge + o->edge_count;

	put_bytes(g, to, o->bytes + at, size, defined(g, o, at, size));
	put_functions(g, to, o, at, size);
	for (uint32_t i = state_first_edge(g->from, o, at);
	     i < end && g->from->edges.at[i].at + 8 <= at + size; i++) {
		struct spot word = {to.object, to.address + g->from->edges.at[i].at - at};

		put_pointer(g, word, &g->from->edges.at[i]);
	}
}

static void fill_new(const struct graft *g)
{
	while (g->d->open.size) {
		uint32_t object = g->d->open.at[--g->d->open.size];
		const struct state_object *o = &g->from->objects.at[object];

		if (o->bytes)
			put_part(g, (struct spot){g->d->created[object], 0}, o, 0, o->size);
	}
}

/* --- leaves --- */

/* How far a program can write without harm: malloc() and arrays of variable length round up. */
static uint64_t usable(const struct state_object *o)
{
	if (o->kind == OBJECT_HEAP)
		return o->size <= 24 ? 24 : ((o->size + 23) & ~15ull) - 8;
	return o->kind == OBJECT_DYNAMIC ? (o->size + 15) & ~15ull : o->size;
}

static void move_pointer(const struct graft *g, const struct state_leaf *l, struct spot to)
{
	const struct state_edge *edge = leaf_edge(g->d, l, g->back);

	if (edge)
		put_pointer(g, to, edge);
	else
		put_word(g, to, other_function(g, leaf_word(g->d, l, g->back)));
}

static void move_scalar(const struct graft *g, const struct state_leaf *l, struct spot to)
{
	const struct state_object *o = leaf_object(g->d, l, g->back);
	const uint8_t *bytes = state_bytes(o, g->back ? l->at_b : l->at_a, l->size_a);
	uint8_t *mask = NULL;

	if (l->bits) {
		mask = arena_alloc(&g->d->work, l->size_a);
		for (uint32_t k = l->bit; k < l->bit + l->bits; k++)
			mask[k / 8] |= (uint8_t)(1u << k % 8);
	}
	put_bytes(g, to, bytes, l->size_a, mask);
}

/* How much of a text is transplanted: also the bytes after it, as far as they have values. */
static uint64_t extent(const struct graft *g, const struct state_leaf *l)
{
	const struct state_object *o = leaf_object(g->d, l, g->back);
	uint64_t at = g->back ? l->at_b : l->at_a, size = g->back ? l->size_b : l->size_a;

	if (l->shape != LEAF_TEXT || l->size_a == l->size_b)
		return size;
	while (size && state_is_undefined(o, 8 * (at + size - 1), 8))
		size--;
	return size;
}

static void move_text(const struct graft *g, const struct state_leaf *l, struct spot to)
{
	const struct state_object *o = leaf_object(g->d, l, g->back);
	uint64_t at = g->back ? l->at_b : l->at_a, size = extent(g, l);

	put_bytes(g, to, o->bytes + at, size, defined(g, o, at, size));
}

static uint32_t changed_object(const struct graft *g, const struct state_leaf *l)
{
	const struct state_pair *pair = &g->d->pairs.at[l->pair];

	return g->back ? pair->a : pair->b;
}

/* Does it not fit where it must go? */
static bool is_too_long(const struct graft *g, const struct state_leaf *l)
{
	uint64_t at = g->back ? l->at_a : l->at_b;

	return at + extent(g, l) > usable(leaf_object(g->d, l, !g->back));
}

static void move_leaf(const struct graft *g, const struct state_leaf *l)
{
	const struct state_object *o = leaf_object(g->d, l, g->back);
	const struct state_object *old = leaf_object(g->d, l, !g->back);
	uint64_t at = g->back ? l->at_a : l->at_b;
	struct spot to = {0, old->address + at};

	if (g->d->grown[changed_object(g, l)])
		to = (struct spot){g->d->grown[changed_object(g, l)], at};
	else if (is_too_long(g, l))
		return;
	if (!leaf_is_known(g->d, l, g->back))
		return;
	if (l->shape == LEAF_POINTER)
		move_pointer(g, l, to);
	else if (l->shape == LEAF_TEXT)
		move_text(g, l, to);
	else if (l->shape == LEAF_BYTES)
		put_part(g, to, o, g->back ? l->at_b : l->at_a, l->size_a);
	else
		move_scalar(g, l, to);
}

/* --- blocks that are too small --- */

/* A block as large as in the other run, with what it has in this one. Only heap blocks and what the
   program was given can move. */
static void grow(const struct graft *g, const struct state_leaf *l)
{
	const struct state_object *o = leaf_object(g->d, l, g->back);
	const struct state_object *old = leaf_object(g->d, l, !g->back);
	uint32_t object = changed_object(g, l);
	struct change *c;

	if (g->d->grown[object] || !is_too_long(g, l) || !leaf_is_known(g->d, l, g->back) ||
	    (old->kind != OBJECT_HEAP && old->kind != OBJECT_GIVEN))
		return;
	c = vec_push(&g->d->news);
	c->kind = CHANGE_NEW;
	c->size = (uint32_t)(o->size > old->size ? o->size : old->size);
	g->d->grown[object] = g->d->news.size;
	put_bytes(g, (struct spot){g->d->news.size, 0}, old->bytes, old->size, NULL);
}

/* Pointers to blocks that moved follow them. */
static void repoint(const struct graft *g)
{
	for (uint32_t i = 0; i < g->to->objects.size; i++) {
		const struct state_object *o = &g->to->objects.at[i];

		for (uint32_t k = o->first_edge; k < o->first_edge + o->edge_count; k++) {
			const struct state_edge *edge = &g->to->edges.at[k];
			uint32_t number = g->d->grown[edge->target];

			if (!number || o->constant)
				continue;
			put_new_pointer(g, (struct spot){0, o->address + edge->at}, number,
			                edge->offset);
			if (g->d->grown[i])
				put_new_pointer(g, (struct spot){g->d->grown[i], edge->at}, number,
				                edge->offset);
		}
	}
}

/* --- all --- */

const struct change *state_diff_changes(struct state_diff *d, const uint32_t *chosen,
                                        uint32_t chosen_count, bool back, uint32_t *count)
{
	struct graft g = {.d = d,
	                  .back = back,
	                  .from = back ? d->b : d->a,
	                  .to = back ? d->a : d->b,
	                  .match = back ? d->match_b : d->match_a};

	arena_deinit(&d->work);
	d->news.size = d->changes.size = d->open.size = 0;
	d->created = arena_new_array(&d->work, uint32_t, g.from->objects.size + 1);
	d->grown = arena_new_array(&d->work, uint32_t, g.to->objects.size + 1);
	for (uint32_t i = 0; i < chosen_count; i++)
		grow(&g, &d->leaves.at[chosen[i]]);
	if (d->news.size)
		repoint(&g);
	for (uint32_t i = 0; i < chosen_count; i++)
		move_leaf(&g, &d->leaves.at[chosen[i]]);
	fill_new(&g);
	for (uint32_t i = 0; i < d->changes.size; i++)
		*vec_push(&d->news) = d->changes.at[i];
	*count = d->news.size;
	return d->news.at;
}
