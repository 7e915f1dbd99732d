/* What is in an object, down to scalars and texts: see picture_work.h. */
#include "state/picture_work.h"

#define LONGEST     120u          /* characters of a text */
#define WIDEST      32u           /* bytes of a scalar */
#define EDGES       64u           /* pointers of one object that are looked at */
#define FIRST       PICTURE_CELLS /* elements of an array that are looked at in any case */
#define MOST_BEHIND PICTURE_CELLS /* differences behind an end */

/* An object on the way through it. */
struct parts {
	struct drawing *w;
	struct picture_draft *draft;
	uint32_t object;
	const struct state_object *o;
	struct str path;
	VEC(uint64_t) telling; /* bytes that decide, differ or point somewhere; in order */
};

/* --- differences --- */

static const struct state_leaf *leaf_at(const struct drawing *w, uint32_t position)
{
	return &w->diff->leaves.at[w->leaves[position]];
}

static uint32_t leaf_owner(const struct drawing *w, const struct state_leaf *leaf)
{
	return w->diff->pairs.at[leaf->pair].a;
}

/* The first of those that end behind this byte of the object, as a position in w->leaves. */
static uint32_t first_leaf(const struct drawing *w, uint32_t object, uint64_t at)
{
	uint32_t low = 0, high = w->diff ? w->diff->leaves.size : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct state_leaf *leaf = leaf_at(w, middle);
		uint32_t owner = leaf_owner(w, leaf);

		if (owner < object || (owner == object && leaf->at_a + leaf->size_a <= at))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_leaf_of(const struct drawing *w, uint32_t position, uint32_t object)
{
	return w->diff && position < w->diff->leaves.size &&
	       leaf_owner(w, leaf_at(w, position)) == object;
}

uint32_t drawing_leaf(const struct drawing *w, uint32_t object, uint64_t at, uint64_t size)
{
	uint32_t position = first_leaf(w, object, at);

	if (!is_leaf_of(w, position, object) || leaf_at(w, position)->at_a >= at + size)
		return 0;
	return 1 + w->leaves[position];
}

/* The same for a bit-field: others may lie in the same bytes. */
static uint32_t find_leaf(const struct drawing *w, const struct picture_part *part)
{
	uint32_t position = first_leaf(w, part->object, part->at);

	if (!part->bits)
		return drawing_leaf(w, part->object, part->at, part->size);
	for (; is_leaf_of(w, position, part->object); position++) {
		const struct state_leaf *leaf = leaf_at(w, position);

		if (leaf->at_a >= part->at + part->size)
			return 0;
		if (!leaf->bits || (leaf->at_a == part->at && leaf->bit == part->bit))
			return 1 + w->leaves[position];
	}
	return 0;
}

/* --- parts --- */

static bool decides(const struct drawing *w, const struct picture_part *part)
{
	for (uint32_t i = 0; i < w->places.size; i++) {
		const struct picture_place *place = &w->places.at[i];

		if (place->object != part->object || place->at >= part->at + part->size ||
		    part->at >= place->at + place->size)
			continue;
		if (!place->bits || !part->bits ||
		    (place->at == part->at && place->bit == part->bit))
			return true;
	}
	return false;
}

/* What C writes behind the name of the box, without the first dot; NULL: nothing. */
static const char *part_name(struct parts *p)
{
	const char *path = str_text(&p->path);

	if (!*path)
		return NULL;
	return arena_strdup(&p->w->arena, path + (*path == '.'));
}

static const struct state_edge *pointer_at(const struct drawing *w, const struct state_object *o,
                                           const struct ctype *type, uint64_t at)
{
	const struct state_edge *edge = state_edge_at(w->s, o, at);
	const struct ctype *plain = ctype_strip(type);

	if (!edge || (edge->guessed && !(plain && plain->kind == CTYPE_POINTER)))
		return NULL;
	return edge;
}

static struct picture_part *add(struct parts *p, const struct ctype *type, uint64_t at,
                                uint64_t size)
{
	struct picture_part *part = vec_push(&p->draft->parts);

	part->object = p->object;
	part->at = at;
	part->size = size;
	part->type = type;
	part->name = part_name(p);
	part->decides = decides(p->w, part);
	return part;
}

static void add_scalar(struct parts *p, const struct ctype *type, uint64_t at, uint64_t size)
{
	struct picture_part *part = add(p, type, at, size);
	const struct state_object *target;

	part->leaf = find_leaf(p->w, part);
	part->edge = size == 8 ? pointer_at(p->w, p->o, type, at) : NULL;
	target = part->edge ? &p->w->s->objects.at[part->edge->target] : NULL;
	/* Of a text that has no box the pointer tells what differs in it. */
	if (target && drawing_is_inline(target) && !part->leaf)
		part->leaf = drawing_leaf(p->w, part->edge->target, 0, target->size);
}

static void add_bit_field(struct parts *p, const struct ctype_member *m, uint64_t at)
{
	uint64_t bit = 8 * at + m->bit_offset;
	struct picture_part *part = add(p, m->type, bit / 8, (bit % 8 + m->bit_size + 7) / 8);

	part->bit = (uint8_t)(bit % 8);
	part->bits = m->bit_size;
	part->decides = decides(p->w, part);
	part->leaf = find_leaf(p->w, part);
}

/* --- texts --- */

bool drawing_is_empty(const struct state_object *o, uint64_t at, uint64_t size)
{
	if (!o->undefined)
		return !o->bytes;
	for (uint64_t i = at; i < at + size; i++)
		if (o->undefined[i] != 0xff)
			return false;
	return true;
}

void drawing_add_text(const struct state_object *o, uint64_t at, uint64_t size,
                      const struct ctype *type, struct str *out)
{
	struct ctype array = {.kind = CTYPE_ARRAY, .target = type, .count = size, .size = size};

	if (!o->bytes || at > o->size || size > o->size - at || drawing_is_empty(o, at, size))
		str_add_char(out, '?');
	else
		ctype_print(&array, o->bytes + at, o->undefined ? o->undefined + at : NULL, size,
		            LONGEST, out);
}

/* Does the text look the same in both runs, so that the difference lies behind its end? */
static bool looks_same(struct parts *p, const struct picture_part *part)
{
	const struct state_leaf *leaf = &p->w->diff->leaves.at[part->leaf - 1];
	const struct state_object *b = leaf_object(p->w->diff, leaf, true);
	struct str x = STR_INIT, y = STR_INIT;
	bool same;

	drawing_add_text(p->o, part->at, part->size, part->type, &x);
	drawing_add_text(b, leaf->at_b - (leaf->at_a - part->at), part->size, part->type, &y);
	same = !strcmp(str_text(&x), str_text(&y));
	str_deinit(&x);
	str_deinit(&y);
	return same;
}

/* A difference that no other part shows. */
static void add_leaf(struct parts *p, uint32_t number)
{
	const struct state_leaf *leaf = &p->w->diff->leaves.at[number];
	struct picture_part *part = add(p, leaf->type_a, leaf->at_a, leaf->size_a);
	int64_t index = leaf->index - drawing_first(p->w, p->object);
	struct str name = STR_INIT;

	if (leaf->element && !drawing_is_single(p->w, p->object))
		str_printf(&name, "[%lld]", (long long)index);
	str_add(&name, leaf->path);
	if (leaf->shape == LEAF_BYTES && !leaf->type_a && strrchr(str_text(&name), '[')) {
		char *bracket = strrchr(name.text, '[');
		uint64_t from = strtoull(bracket + 1, NULL, 10);

		name.length = (size_t)(bracket - name.text);
		str_printf(&name, "[%llu..%llu]", (unsigned long long)from,
		           (unsigned long long)(from + leaf->size_a - 1));
	}
	part->leaf = 1 + number;
	part->leaf_only = true;
	part->name = name.length ? arena_strdup(&p->w->arena, str_text(&name) + (*name.text == '.'))
	                         : NULL;
	str_deinit(&name);
}

static void add_text(struct parts *p, const struct ctype *element, uint64_t at, uint64_t size)
{
	struct picture_part *part = add(p, element, at, size);
	const struct state_leaf *leaf;
	uint32_t number;

	part->text = true;
	part->leaf = number = drawing_leaf(p->w, p->object, at, size);
	leaf = number ? &p->w->diff->leaves.at[number - 1] : NULL;
	if (leaf && leaf->shape != LEAF_TEXT && leaf->at_a >= at && looks_same(p, part)) {
		part->leaf = 0;
		add_leaf(p, number - 1);
	}
}

/* --- composite types --- */

static void go(struct parts *p, const struct ctype *type, uint64_t at);

static bool is_char(const struct ctype *type)
{
	type = ctype_strip(type);
	return type && type->kind == CTYPE_CHAR;
}

/* How many cells a part would be. */
static uint64_t count_cells(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type);
	uint64_t count = 0;

	if (!plain || plain->kind == CTYPE_UNION)
		return 1;
	if (plain->kind == CTYPE_ARRAY && plain->count != CTYPE_NO_COUNT && !is_char(plain->target))
		return plain->count * count_cells(plain->target);
	for (uint32_t i = 0; plain->kind == CTYPE_STRUCT && i < plain->member_count; i++)
		count += count_cells(plain->members[i].type);
	return count ? count : 1;
}

static void add_member(struct parts *p, const struct ctype_member *m, uint64_t at)
{
	size_t length = p->path.length;

	if (m->name)
		str_printf(&p->path, ".%s", m->name);
	if (m->bit_size)
		add_bit_field(p, m, at);
	else
		go(p, m->type, at + m->bit_offset / 8);
	p->path.length = length;
	if (p->path.text)
		p->path.text[length] = '\0';
}

/* The first telling byte at or behind this one; UINT64_MAX: none. */
static uint64_t next_telling(const struct parts *p, uint64_t at)
{
	uint32_t low = 0, high = p->telling.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (p->telling.at[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->telling.size ? p->telling.at[low] : UINT64_MAX;
}

/* Elements of an array; of a long one the first, and those that tell something. */
static void add_elements(struct parts *p, const struct ctype *type, uint64_t at, uint64_t count,
                         int64_t first)
{
	uint64_t size = ctype_strip(type)->size;
	size_t length = p->path.length;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t next = i < FIRST ? at + i * size : next_telling(p, at + i * size);
		uint64_t to = next == UINT64_MAX || next >= at + count * size ? count
		                                                              : (next - at) / size;

		p->draft->more += (to - i) * count_cells(type);
		i = to;
		if (i == count)
			break;
		str_printf(&p->path, "[%lld]", (long long)i - (long long)first);
		go(p, type, at + i * size);
		p->path.length = length;
		p->path.text[length] = '\0';
	}
}

static void add_array(struct parts *p, const struct ctype *plain, uint64_t at)
{
	const struct ctype *element = ctype_strip(plain->target);
	uint64_t size = element ? element->size : 0, count;

	if (!size) {
		p->draft->more++;
		return;
	}
	count = plain->count == CTYPE_NO_COUNT || !plain->count ? (p->o->size - at) / size
	                                                        : plain->count;
	if (count > (p->o->size - at) / size)
		count = (p->o->size - at) / size;
	if (is_char(element))
		add_text(p, plain->target, at, count);
	else
		add_elements(p, plain->target, at, count, 0);
}

static void go(struct parts *p, const struct ctype *type, uint64_t at)
{
	const struct ctype *plain = ctype_strip(type);
	const struct ctype_member *m;

	if (!plain || at > p->o->size || plain->size > p->o->size - at || leaves_is_opaque(type)) {
		p->draft->more++;
		return;
	}
	switch (plain->kind) {
	case CTYPE_STRUCT:
		for (uint32_t i = 0; i < plain->member_count; i++)
			add_member(p, &plain->members[i], at);
		break;
	case CTYPE_UNION:
		m = state_union_member(p->w->s, p->o, plain, at);
		if (m)
			add_member(p, m, at);
		break;
	case CTYPE_VECTOR:
	case CTYPE_ARRAY: add_array(p, plain, at); break;
	case CTYPE_FLOAT:
		add_scalar(p, type, at, plain->size == 16 && !plain->ieee_quad ? 10 : plain->size);
		break;
	default:
		if (plain->size && plain->size <= WIDEST)
			add_scalar(p, type, at, plain->size);
		else
			p->draft->more++;
	}
}

/* --- objects --- */

/* A block of which nobody says what is in it: as it was stored. */
static void add_untyped(struct parts *p)
{
	static const struct ctype byte = {
		.kind = CTYPE_CHAR, .is_signed = true, .name = "char", .size = 1};
	uint64_t length;

	if (state_text(p->o, 0, p->o->size, &length)) {
		add_text(p, &byte, 0, p->o->size);
		return;
	}
	for (uint64_t at = 0; at < p->o->size;) {
		const struct ctype *type = leaves_stored_type(p->w->s, p->o, at);
		uint64_t size = state_edge_at(p->w->s, p->o, at) ? 8 : type->size;

		if (p->draft->parts.size >= 4 * PICTURE_CELLS) {
			p->draft->more++;
		} else {
			str_printf(&p->path, "+%llu", (unsigned long long)at);
			add_scalar(p, type, at, size);
			str_deinit(&p->path);
		}
		at += size;
	}
}

/* A block of elements of its type. */
static void add_block(struct parts *p)
{
	const struct ctype *plain = ctype_strip(p->o->type);

	if (!plain || !plain->size)
		add_untyped(p);
	else if (is_char(plain))
		add_text(p, p->o->type, 0, p->o->size);
	else if (drawing_is_single(p->w, p->object))
		go(p, p->o->type, 0);
	else
		add_elements(p, p->o->type, 0, p->o->size / plain->size,
		             drawing_first(p->w, p->object));
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void find_telling(struct parts *p)
{
	const struct state_object *o = p->o;

	for (uint32_t i = 0; i < p->w->places.size; i++)
		if (p->w->places.at[i].object == p->object)
			*vec_push(&p->telling) = p->w->places.at[i].at;
	for (uint32_t i = first_leaf(p->w, p->object, 0); is_leaf_of(p->w, i, p->object); i++)
		*vec_push(&p->telling) = leaf_at(p->w, i)->at_a;
	for (uint32_t i = 0; i < o->edge_count && i < EDGES; i++)
		*vec_push(&p->telling) = p->w->s->edges.at[o->first_edge + i].at;
	if (p->telling.size)
		qsort(p->telling.at, p->telling.size, sizeof(*p->telling.at), by_number);
}

/* What only the other run has: elements of an array that is longer there. */
static void add_behind(struct parts *p)
{
	uint32_t count = 0;

	for (uint32_t i = first_leaf(p->w, p->object, 0); is_leaf_of(p->w, i, p->object); i++) {
		if (leaf_at(p->w, i)->at_a < p->o->size)
			continue;
		if (count++ < MOST_BEHIND)
			add_leaf(p, p->w->leaves[i]);
		else
			p->draft->more++;
	}
}

static void add_object(struct drawing *w, struct picture_draft *draft, uint32_t object,
                       const char *name)
{
	struct parts p = {.w = w, .draft = draft, .object = object, .o = &w->s->objects.at[object]};

	if (!p.o->bytes)
		return;
	if (name)
		str_add(&p.path, name);
	find_telling(&p);
	if (p.o->elements)
		add_block(&p);
	else
		go(&p, p.o->type, 0);
	add_behind(&p);
	vec_deinit(&p.telling);
	str_deinit(&p.path);
}

/* A scalar that is alone in its frame's box, or what the function will return if that decides. */
static void add_frame(struct drawing *w, struct picture_draft *draft)
{
	const struct state_frame *frame = &w->s->frames.at[draft->frame - 1];

	for (uint32_t i = frame->first; i < frame->first + frame->count; i++) {
		const struct state_object *o = &w->s->objects.at[i];

		if (!drawing_is_in_frame(o) ||
		    (!o->variable &&
		     !decides(w, &(struct picture_part){.object = i, .size = o->size})))
			continue;
		add_object(w, draft, i,
		           o->variable ? arena_printf(&w->arena, "%s%s", o->variable->name,
		                                      o->hint ? o->hint : "")
		                       : o->hint);
	}
}

void drawing_add_parts(struct drawing *w, struct picture_draft *draft)
{
	if (draft->frame)
		add_frame(w, draft);
	else
		add_object(w, draft, draft->object, NULL);
}
