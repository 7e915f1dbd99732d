/*
 * Which objects of two states correspond: variables by name and frame, heap blocks by where they were
 * allocated, the rest by corresponding pointers. They are reached breadth first, from the variables of
 * the function on top, then globals, then callers: the first way to an object gives its name.
 */
#include "state/compare.h"

#define FAR 8u /* pointers from a variable on; further away names wait for a better one */

MAP_DEFINE_STRING(key_map, uint32_t);
MAP_DEFINE_U64(birth_map, uint32_t);

/* --- what corresponds by itself --- */

/* Frames of the same functions, from main() on. */
static uint32_t count_frames(const struct state *a, const struct state *b)
{
	uint32_t i = 0;

	while (i < a->frames.size && i < b->frames.size &&
	       !strcmp(a->frames.at[i].function, b->frames.at[i].function))
		i++;
	return i;
}

static const char *key_of(struct state_diff *d, const struct state_object *o)
{
	if (!o->key || o->frame > d->frames)
		return NULL;
	return o->frame ? arena_printf(&d->arena, "%u.%s", o->frame, o->key) : o->key;
}

/* Is it a block that has no name of its own? */
static bool is_block(const struct state_object *o)
{
	return o->kind == OBJECT_HEAP || o->kind == OBJECT_GIVEN;
}

static void match(struct state_diff *d, uint32_t a, uint32_t b)
{
	const struct state_object *x = &d->a->objects.at[a], *y = &d->b->objects.at[b];

	if (d->match_a[a] || d->match_b[b] || x->dead != y->dead ||
	    (x->kind != y->kind && !(is_block(x) && is_block(y))))
		return;
	d->match_a[a] = b + 1;
	d->match_b[b] = a + 1;
}

static void match_keys(struct state_diff *d)
{
	struct key_map keys = MAP_INIT;

	for (uint32_t i = 0; i < d->b->objects.size; i++) {
		const char *key = key_of(d, &d->b->objects.at[i]);

		if (key)
			*key_map_put(&keys, key) = i + 1;
	}
	for (uint32_t i = 0; i < d->a->objects.size; i++) {
		const char *key = key_of(d, &d->a->objects.at[i]);
		const uint32_t *found = key ? key_map_find(&keys, key) : NULL;

		if (found)
			match(d, i, *found - 1);
	}
	key_map_deinit(&keys);
}

static void match_births(struct state_diff *d)
{
	struct birth_map births = MAP_INIT;

	for (uint32_t i = 0; i < d->b->objects.size; i++) {
		const struct state_object *o = &d->b->objects.at[i];

		if (o->birth && o->ordinal < 256)
			*birth_map_put(&births, o->birth << 8 | o->ordinal) = i + 1;
	}
	for (uint32_t i = 0; d->alignment && i < d->a->objects.size; i++) {
		const struct state_object *o = &d->a->objects.at[i];
		uint64_t other = o->birth ? alignment_of_a(d->alignment, o->birth) : 0;
		const uint32_t *found = other && o->ordinal < 256
		                                ? birth_map_find(&births, other << 8 | o->ordinal)
		                                : NULL;

		if (found)
			match(d, i, *found - 1);
	}
	birth_map_deinit(&births);
}

void pairs_match(struct state_diff *d)
{
	d->match_a = arena_new_array(&d->arena, uint32_t, d->a->objects.size + 1);
	d->match_b = arena_new_array(&d->arena, uint32_t, d->b->objects.size + 1);
	d->of_a = arena_new_array(&d->arena, uint32_t, d->a->objects.size + 1);
	d->frames = count_frames(d->a, d->b);
	match_keys(d);
	match_births(d);
}

uint64_t pairs_elsewhere(const struct state *from, const struct state_object *o,
                         const struct state *to)
{
	const struct state_module *m;

	if (o->kind != OBJECT_GLOBAL)
		return 0;
	m = &from->world->modules.at[o->module];
	for (uint32_t i = 0; i < to->world->modules.size; i++)
		if (to->world->modules.at[i].plan == m->plan)
			return o->address - m->base + to->world->modules.at[i].base;
	return 0;
}

/* --- reaching --- */

/* A pointer that leads to objects that correspond. */
struct pending {
	uint32_t from; /* pair that it lies in */
	const char *path;
	int64_t index;
	const struct state_edge *a, *b;
	const struct ctype *pointee;
};

static void add_pair(struct state_diff *d, const struct pending *p)
{
	struct state_pair pair = {.a = p->a->target,
	                          .b = p->b->target,
	                          .from = p->from + 1,
	                          .path = p->path,
	                          .index = p->index,
	                          .at = p->a->at,
	                          .offset = p->a->offset,
	                          .pointee = p->pointee};
	const struct state_pair *from = &d->pairs.at[p->from];

	if (d->of_a[pair.a])
		return;
	pair.depth = from->depth + 1;
	if (from->from && !strcmp(from->path, pair.path) && !from->offset && !pair.offset)
		pair.repeats = from->repeats + 1;
	*vec_push(&d->pairs) = pair;
	d->of_a[pair.a] = d->pairs.size;
}

/* Does a pointer tell what it points to? Of a void pointer, or one into the middle of something else,
   another name may be better, and another way to know what corresponds. */
static bool is_telling(const struct state_object *o, const struct state_leaf *leaf, int64_t offset)
{
	const struct ctype *type = ctype_strip(leaf->type_a);
	const struct ctype *pointee = ctype_strip(type->target), *own = ctype_strip(o->type);

	if (!pointee || pointee->kind == CTYPE_VOID)
		return false;
	if (!o->elements || !own || !own->size)
		return true;
	return pointee->kind == own->kind && pointee->size == own->size &&
	       offset % (int64_t)own->size == 0;
}

static bool lead(struct state_diff *d, const struct state_leaf *leaf, const struct state_edge *a,
                 const struct state_edge *b, bool anyway)
{
	const struct state_object *o = &d->a->objects.at[a->target];
	struct pending p = {.from = leaf->pair, .index = leaf->index, .a = a, .b = b};
	bool may = !d->match_a[a->target] && !d->match_b[b->target] && is_block(o);

	if (!may && d->match_a[a->target] != b->target + 1)
		return false;
	if (!anyway && !d->of_a[a->target] && !o->constant &&
	    (d->pairs.at[leaf->pair].depth + 1 > FAR || !is_telling(o, leaf, a->offset))) {
		*vec_push(&d->late) = *leaf;
		return true;
	}
	if (may)
		match(d, a->target, b->target);
	if (d->match_a[a->target] != b->target + 1)
		return false;
	/* A variable that it leads to at another place in each run is called by its own name: what is
	   said of p[2] would be wrong in the other run. */
	if (!d->of_a[a->target] && !o->constant && (a->offset == b->offset || is_block(o))) {
		p.path = leaf->path;
		p.pointee = ctype_strip(leaf->type_a)->target;
		add_pair(d, &p);
	}
	return a->offset == b->offset;
}

bool pairs_lead(struct state_diff *d, const struct state_leaf *leaf, const struct state_edge *a,
                const struct state_edge *b)
{
	return lead(d, leaf, a, b, false);
}

/* --- the walk --- */

static uint32_t advance(struct state_diff *d, uint32_t done)
{
	for (; done < d->pairs.size; done++)
		leaves_compare(d, done);
	return done;
}

/* --- what no two corresponding pointers lead to --- */

/* Where in its object a pointer lies. */
static void find_path(struct state_diff *d, const struct state_object *o, struct pending *p)
{
	const struct ctype *plain = ctype_strip(o->type);
	uint64_t at = p->a->at;
	struct ctype_part part = {0};
	struct str path = STR_INIT;

	if (o->elements && plain && plain->size && !state_is_flexible(plain)) {
		p->index = (int64_t)(at / plain->size);
		at %= plain->size;
	}
	if (ctype_part(o->type, at, 8, CTYPE_SCALAR, &part, &path)) {
		plain = ctype_strip(part.type);
		p->pointee = plain && plain->kind == CTYPE_POINTER ? plain->target : NULL;
	}
	p->path = arena_strdup(&d->arena, str_text(&path));
	str_deinit(&path);
}

/* Goes along all pointers of the first run. What was allocated at the same point is compared, however
   it is reached; objects of this run alone are passed on the way. */
static void walk_rest(struct state_diff *d, uint32_t done)
{
	for (uint32_t i = 0; i < d->pairs.size; i++) {
		const struct state_object *o = &d->a->objects.at[d->pairs.at[i].a];

		for (uint32_t k = o->first_edge; k < o->first_edge + o->edge_count; k++) {
			const struct state_edge *edge = &d->a->edges.at[k];
			struct state_edge other = {0};
			struct pending p = {.from = i, .a = edge, .b = &other};

			if (edge->guessed || d->of_a[edge->target] ||
			    d->a->objects.at[edge->target].constant)
				continue;
			other.target = d->match_a[edge->target] ? d->match_a[edge->target] - 1
			                                        : PAIR_ALONE;
			find_path(d, o, &p);
			add_pair(d, &p);
		}
		for (; done < d->pairs.size; done++)
			leaves_compare(d, done);
	}
}

static void add_root(struct state_diff *d, uint32_t object)
{
	struct state_pair *pair;

	if (!d->match_a[object] || d->of_a[object] || d->a->objects.at[object].constant)
		return;
	pair = vec_push(&d->pairs);
	pair->a = object;
	pair->b = d->match_a[object] - 1;
	d->of_a[object] = d->pairs.size;
}

static uint32_t walk_frame(struct state_diff *d, uint32_t frame, uint32_t done)
{
	const struct state_frame *f = &d->a->frames.at[frame];

	for (uint32_t i = 0; i < f->count; i++)
		add_root(d, f->first + i);
	return advance(d, done);
}

static uint32_t walk_globals(struct state_diff *d, uint8_t kind, uint32_t done)
{
	for (uint32_t i = 0; i < d->a->objects.size; i++)
		if (d->a->objects.at[i].kind == kind)
			add_root(d, i);
	return advance(d, done);
}

/* What only pointers lead to that are in no variable yet: what malloc() has just returned. */
static bool add_waiting(struct state_diff *d, uint32_t a, uint32_t b)
{
	const struct state_waiting *x = &d->a->waiting.at[a], *y = &d->b->waiting.at[b];
	struct state_pair *pair;

	if (!x->target || !y->target || d->of_a[x->target - 1])
		return true;
	if (is_block(&d->a->objects.at[x->target - 1]))
		match(d, x->target - 1, y->target - 1);
	if (d->match_a[x->target - 1] != y->target || d->a->objects.at[x->target - 1].constant)
		return true;
	pair = vec_push(&d->pairs);
	pair->a = x->target - 1;
	pair->b = y->target - 1;
	pair->offset = x->offset;
	pair->pointee = d->a->objects.at[pair->a].type;
	pair->waiting = x->call ? x->call : "(...)";
	d->of_a[pair->a] = d->pairs.size;
	return true;
}

void pairs_walk(struct state_diff *d)
{
	uint32_t done = 0, top = d->a->frames.size;

	if (d->frames == top && top)
		done = walk_frame(d, top - 1, done);
	done = walk_globals(d, OBJECT_GLOBAL, done);
	for (uint32_t i = d->frames; i-- > 0;)
		done = walk_frame(d, i, done);
	done = walk_globals(d, OBJECT_GIVEN, done);
	waiting_each(d, add_waiting);
	done = advance(d, done);
	/* They may add more of their kind. */
	for (uint32_t i = 0; i < d->late.size; i++) {
		struct state_leaf leaf = d->late.at[i];

		if (!lead(d, &leaf, leaf_edge(d, &leaf, false), leaf_edge(d, &leaf, true), true))
			compare_leaf(d, &leaf);
		done = advance(d, done);
	}
	walk_rest(d, done);
}
