/*
 * Applies changes to a captured state, as an experiment would to the program: bytes are written, blocks
 * are made, and pointers are found anew from the bytes.
 */
#ifndef HENCE_TESTS_UNIT_STATE_APPLY_H
#define HENCE_TESTS_UNIT_STATE_APPLY_H

#include "state_runs.h"

#include "state/graph.h"

#define APPLY_HEAP 0x600000000000ull /* where new blocks are */
#define APPLY_ROOM 0x100000ull       /* for each */

static inline uint32_t apply_object_at(const struct state *s, uint64_t address)
{
	for (uint32_t i = 0; i < s->objects.size; i++) {
		const struct state_object *o = &s->objects.at[i];

		if (o->bytes && address >= o->address && address < o->address + o->size)
			return i;
	}
	return UINT32_MAX;
}

/* The object that a word points into, or just behind. */
static inline uint32_t apply_target(const struct state *s, uint64_t address)
{
	uint32_t found = apply_object_at(s, address);

	for (uint32_t i = 0; found == UINT32_MAX && i < s->objects.size; i++) {
		const struct state_object *o = &s->objects.at[i];

		if (address - o->address - o->size <= o->beyond_size)
			found = i;
	}
	return found;
}

static inline void apply_new(struct state *s, uint32_t number, uint64_t size)
{
	struct state_object *o = vec_push(&s->objects);

	o->kind = OBJECT_HEAP;
	o->taken = o->elements = true;
	o->address = APPLY_HEAP + number * APPLY_ROOM;
	o->size = size;
	o->bytes = arena_alloc(&s->arena, size + 1);
}

/* Behind a block, in what malloc() gives in addition. */
static inline void apply_beyond(struct state *s, uint64_t at, uint8_t byte)
{
	for (uint32_t i = 0; i < s->objects.size; i++) {
		struct state_object *o = &s->objects.at[i];
		uint64_t end = o->address + o->size;

		if ((o->kind != OBJECT_HEAP && o->kind != OBJECT_DYNAMIC) || o->dead || at < end ||
		    at - end >= 24)
			continue;
		if (o->beyond_size < 24) {
			o->beyond = mem_resize(o->beyond, 24);
			memset(o->beyond + o->beyond_size, 0, 24 - o->beyond_size);
			o->beyond_size = 24;
		}
		o->beyond[at - end] = byte;
		return;
	}
	fail_msg("there is no object at %#llx", (unsigned long long)at);
}

static inline void apply_write(struct state *s, const struct change *c, const uint8_t *bytes)
{
	uint64_t at = c->object ? APPLY_HEAP + c->object * APPLY_ROOM + c->address : c->address;

	for (uint32_t k = 0; k < c->size; k++) {
		uint32_t i = apply_object_at(s, at + k);
		struct state_object *o = &s->objects.at[i];
		uint8_t mask = c->mask ? c->mask[k] : 0xff;

		if (i == UINT32_MAX) {
			apply_beyond(s, at + k, bytes[k]);
			continue;
		}
		assert_false(o->constant);
		o->bytes[at + k - o->address] &= (uint8_t)~mask;
		o->bytes[at + k - o->address] |= bytes[k] & mask;
		if (o->undefined)
			o->undefined[at + k - o->address] &= (uint8_t)~mask;
	}
}

/* What a block that was made is: as the first pointer to it says. */
static inline void apply_type(const struct state_object *from, uint64_t at, struct state_object *to,
                              int64_t offset)
{
	const struct ctype *plain = ctype_strip(from->type), *target;
	struct ctype_part part;

	if (from->elements && plain && plain->size && !state_is_flexible(plain))
		at %= plain->size;
	if (to->kind != OBJECT_HEAP || to->type ||
	    !ctype_part(from->type, at, 8, CTYPE_SCALAR, &part, NULL))
		return;
	plain = ctype_strip(part.type);
	target = plain && plain->kind == CTYPE_POINTER ? ctype_strip(plain->target) : NULL;
	if (target && target->size && !offset)
		to->type = plain->target;
}

/* A pointer that is as before points to what it did, also when that is freed. */
static inline uint32_t apply_old(const struct state *s, const struct state_object *o, uint64_t at,
                                 uint64_t word)
{
	const struct state_edge *edge = state_edge_at(s, o, at);

	return edge && s->objects.at[edge->target].address + (uint64_t)edge->offset == word
	               ? edge->target
	               : UINT32_MAX;
}

static inline void apply_edges(struct state *s)
{
	struct state old = *s;

	memset(&s->edges, 0, sizeof(s->edges));
	for (uint32_t i = 0; i < s->objects.size; i++) {
		struct state_object *o = &s->objects.at[i], before = *o;

		o->first_edge = s->edges.size;
		for (uint64_t at = ((o->address + 7) & ~7ull) - o->address;
		     o->bytes && at + 8 <= o->size; at += 8) {
			uint64_t word;
			uint32_t target;
			struct state_edge *edge;

			memcpy(&word, o->bytes + at, 8);
			if (!(word >> 32) || state_is_undefined(o, 8 * at, 64))
				continue;
			target = apply_old(&old, &before, at, word);
			if (target == UINT32_MAX)
				target = apply_target(s, word);
			if (target == UINT32_MAX)
				continue;
			edge = vec_push(&s->edges);
			*edge = (struct state_edge){
				.at = at,
				.target = target,
				.offset = (int64_t)(word - s->objects.at[target].address)};
			apply_type(o, at, &s->objects.at[target], edge->offset);
		}
		o->edge_count = s->edges.size - o->first_edge;
	}
	vec_deinit(&old.edges);
}

/* Constants that only the other run had reached: they lie at the same place in this one. */
static inline void apply_constants(struct state *s, const struct state *other)
{
	for (uint32_t i = 0; i < other->objects.size; i++) {
		const struct state_object *o = &other->objects.at[i];
		struct state_object *copy;

		if (!o->constant || apply_object_at(s, o->address) != UINT32_MAX)
			continue;
		copy = vec_push(&s->objects);
		*copy = *o;
		copy->edge_count = copy->run_count = 0;
		copy->key = o->key ? arena_strdup(&s->arena, o->key) : NULL;
		copy->bytes = arena_alloc(&s->arena, o->size + 1);
		memcpy(copy->bytes, o->bytes, o->size);
	}
}

/* A block that nobody points to any more has been replaced. */
static inline void apply_replaced(struct state *s)
{
	bool *used = mem_alloc(s->objects.size + 1);

	for (uint32_t i = 0; i < s->edges.size; i++)
		used[s->edges.at[i].target] = true;
	for (uint32_t i = 0; i < s->objects.size; i++)
		if (!used[i] && s->objects.at[i].elements) {
			s->objects.at[i].key = NULL;
			s->objects.at[i].birth = 0;
		}
	free(used);
}

/* `other` is the state that the changes come from. */
static inline void apply_changes(struct state *s, const struct state *other,
                                 const struct change *changes, uint32_t count)
{
	uint32_t made = 0;

	apply_constants(s, other);

	for (uint32_t i = 0; i < count; i++) {
		const struct change *c = &changes[i];
		uint64_t word = APPLY_HEAP + c->target * APPLY_ROOM + (uint64_t)c->addend;

		if (c->kind == CHANGE_NEW)
			apply_new(s, ++made, c->size);
		else if (c->kind == CHANGE_BYTES)
			apply_write(s, c, c->bytes);
		else
			apply_write(s, c, (const uint8_t *)&word);
		assert_true(c->object <= made && c->target <= made);
	}
	for (uint32_t round = 0; round < 4; round++)
		apply_edges(s);
	apply_replaced(s);
}

#endif
