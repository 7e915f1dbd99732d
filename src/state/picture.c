/* Draws a state: names and values of boxes and cells. See picture.h. */
#include "state/picture.h"

#include <ctype.h>

#include "state/compare.h"

/* Bytes of an object. */
struct picture_place {
	uint32_t object;
	uint64_t at, size;
	const struct ctype *type; /* NULL: not known */
	uint8_t bit;              /* of a bit-field, as in struct state_leaf */
	uint32_t bits;
};

/* What a cell will show. */
struct picture_part {
	uint32_t object;
	uint64_t at, size;
	const struct ctype *type;
	uint8_t bit; /* of a bit-field, as in struct state_leaf */
	uint32_t bits;
	bool text;      /* a char array as a whole */
	bool leaf_only; /* it has no place here but for the difference: behind an end */
	bool decides;
	uint32_t leaf;                 /* 1 + index of the difference in it; 0: none */
	const char *name;              /* NULL: none */
	const struct state_edge *edge; /* of a pointer; NULL: it is none */
};

struct picture_draft {
	uint32_t frame;  /* 1 + index; 0: it is an object */
	uint32_t object; /* if it is one */
	VEC(struct picture_part) parts;
	uint64_t more;
};

struct drawing {
	const struct state *s;
	struct state_diff *self; /* with itself: it names all that can be reached */
	struct state_diff *diff; /* with the other one; NULL: none */
	struct arena arena;
	uint32_t *leaves;                 /* of diff, sorted by object and place */
	VEC(struct picture_place) places; /* of the variables */
	VEC(struct picture_draft) boxes;
	uint32_t *box_of;   /* 1 + the box of an object */
	uint32_t *frame_of; /* 1 + the box of a frame */
	bool *left;         /* objects without one that should have it */
	uint64_t more;
};

/* ------ where a variable is in a state, by the name that a step of an explanation gives it: `a[2]`, `p->next->val`, `*q`, `main.argc`, `buf[3..7]`. Other names are those of differences, which say where they are ------ */

#define DEEPEST    64u
#define MOST_NAMES 4096u /* differences whose names are looked at */

struct reader {
	const struct drawing *w;
	const char *at;
	const char *function; /* NULL: not known */
	bool failed;
	uint32_t depth;
};

static struct picture_place fail(struct reader *r)
{
	r->failed = true;
	return (struct picture_place){0};
}

static uint64_t size_of(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type);

	return plain ? plain->size : 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* --- steps on the way --- */

static struct picture_place dereference(struct reader *r, struct picture_place place)
{
	const struct state *s = r->w->s;
	const struct ctype *plain = ctype_strip(place.type);
	const struct state_edge *edge;

	if (r->failed || !plain || plain->kind != CTYPE_POINTER)
		return fail(r);
	edge = state_edge_at(s, &s->objects.at[place.object], place.at);
	if (!edge || edge->offset < 0)
		return fail(r);
	return (struct picture_place){.object = edge->target,
	                              .at = (uint64_t)edge->offset,
	                              .size = size_of(plain->target),
	                              .type = plain->target};
}

/* Elements from one index to another. */
static struct picture_place element(struct reader *r, struct picture_place place, int64_t from,
                                    int64_t to)
{
	const struct ctype *plain = ctype_strip(place.type);
	uint64_t size;

	if (plain && plain->kind == CTYPE_POINTER) {
		place = dereference(r, place);
	} else if (plain && (plain->kind == CTYPE_ARRAY || plain->kind == CTYPE_VECTOR)) {
		place.type = plain->target;
	} else {
		return fail(r);
	}
	size = size_of(place.type);
	if (r->failed || !size || to < from || (int64_t)place.at + from * (int64_t)size < 0)
		return fail(r);
	place.at = (uint64_t)((int64_t)place.at + from * (int64_t)size);
	place.size = (uint64_t)(to - from + 1) * size;
	return place;
}

/* The member of a structure, or of what has no name in it. */
static bool find_member(const struct ctype *type, const char *name, size_t length, uint64_t at,
                        struct picture_place *out)
{
	const struct ctype *plain = ctype_strip(type);

	if (!plain || (plain->kind != CTYPE_STRUCT && plain->kind != CTYPE_UNION))
		return false;
	for (uint32_t i = 0; i < plain->member_count; i++) {
		const struct ctype_member *m = &plain->members[i];

		if (!m->name && find_member(m->type, name, length, at + m->bit_offset / 8, out))
			return true;
		if (!m->name || strncmp(m->name, name, length) || m->name[length])
			continue;
		out->at = at + m->bit_offset / 8;
		out->type = m->type;
		out->bit = m->bit_size ? m->bit_offset % 8 : 0;
		out->bits = m->bit_size;
		out->size = m->bit_size ? (out->bit + m->bit_size + 7u) / 8 : size_of(m->type);
		return true;
	}
	return false;
}

static struct picture_place member(struct reader *r, struct picture_place place)
{
	const char *name = r->at;

	while (is_word(*r->at))
		r->at++;
	if (r->failed || r->at == name ||
	    !find_member(place.type, name, (size_t)(r->at - name), place.at, &place))
		return fail(r);
	return place;
}

/* --- variables --- */

static struct picture_place whole(const struct state *s, uint32_t object)
{
	const struct state_object *o = &s->objects.at[object];

	return (struct picture_place){.object = object, .size = o->size, .type = o->type};
}

/* The variable whose name is what is still to be read, or as much of it as possible. */
static bool find_named(struct reader *r, struct picture_place *out)
{
	const struct state *s = r->w->s;
	size_t longest = 0;

	for (uint32_t i = 0; i < s->objects.size; i++) {
		char *name =
			s->objects.at[i].elements ? NULL : express_variable(s, &s->objects.at[i]);
		size_t length = name ? strlen(name) : 0;

		if (length > longest && !strncmp(name, r->at, length) && !is_word(r->at[length])) {
			longest = length;
			*out = whole(s, i);
		}
		free(name);
	}
	r->at += longest;
	return longest;
}

/* The local of a function that is not on top, whose name does not say so. */
static bool find_local(struct reader *r, struct picture_place *out)
{
	const struct state *s = r->w->s;
	const char *name = r->at;
	size_t prefix = r->function ? strlen(r->function) : 0, length = 0;

	if (prefix && !strncmp(name, r->function, prefix) && name[prefix] == '.')
		name += prefix + 1;
	while (is_word(name[length]))
		length++;
	for (uint32_t f = s->frames.size; length && f-- > 0;) {
		const struct state_frame *frame = &s->frames.at[f];

		if (r->function && strcmp(frame->function, r->function))
			continue;
		for (uint32_t i = frame->first; i < frame->first + frame->count; i++) {
			const struct variable *v = s->objects.at[i].variable;

			if (!v || strncmp(v->name, name, length) || v->name[length])
				continue;
			*out = whole(s, i);
			r->at = name + length;
			return true;
		}
	}
	return false;
}

/* --- expressions --- */

static struct picture_place expression(struct reader *r);

static struct picture_place primary(struct reader *r)
{
	struct picture_place place;

	if (*r->at == '(') {
		r->at++;
		place = expression(r);
		if (r->failed || *r->at != ')')
			return fail(r);
		r->at++;
		return place;
	}
	if (find_named(r, &place) || find_local(r, &place))
		return place;
	return fail(r);
}

static struct picture_place subscript(struct reader *r, struct picture_place place)
{
	char *end;
	int64_t from = strtoll(r->at, &end, 10), to = from;

	if (end == r->at)
		return fail(r);
	if (!strncmp(end, "..", 2))
		to = strtoll(end + 2, &end, 10);
	if (*end != ']')
		return fail(r);
	r->at = end + 1;
	return element(r, place, from, to);
}

static struct picture_place expression(struct reader *r)
{
	struct picture_place place;

	if (++r->depth > DEEPEST)
		return fail(r);
	if (*r->at == '*') {
		r->at++;
		place = expression(r);
		return r->failed ? place : dereference(r, place);
	}
	place = primary(r);
	while (!r->failed) {
		if (*r->at == '[') {
			r->at++;
			place = subscript(r, place);
		} else if (*r->at == '.') {
			r->at++;
			place = member(r, place);
		} else if (!strncmp(r->at, "->", 2)) {
			r->at += 2;
			place = member(r, dereference(r, place));
		} else {
			break;
		}
	}
	return place;
}

/* --- names of differences --- */

static bool find_difference(struct drawing *w, const char *name, struct picture_place *out)
{
	bool found = false;

	for (uint32_t i = 0; w->diff && i < w->diff->leaves.size && i < MOST_NAMES && !found; i++) {
		const struct state_leaf *leaf = &w->diff->leaves.at[i];
		char *text = express_leaf(w->diff, leaf);

		found = !strcmp(text, name);
		free(text);
		if (found)
			*out = (struct picture_place){.object = w->diff->pairs.at[leaf->pair].a,
			                              .at = leaf->at_a,
			                              .size = leaf->size_a,
			                              .type = leaf->type_a,
			                              .bit = leaf->bit,
			                              .bits = leaf->bits};
	}
	return found;
}

/* --- all --- */

static bool drawing_is_inline(const struct state_object *o);
static uint32_t drawing_leaf(const struct drawing *w, uint32_t object, uint64_t at, uint64_t size);

/* A text that a pointer leads to is called like the pointer. */
static void add_text(struct drawing *w, const struct picture_place *place)
{
	const struct ctype *plain = ctype_strip(place->type);
	const struct ctype *target =
		plain && plain->kind == CTYPE_POINTER ? ctype_strip(plain->target) : NULL;
	const struct state_edge *edge =
		target && target->kind == CTYPE_CHAR
			? state_edge_at(w->s, &w->s->objects.at[place->object], place->at)
			: NULL;
	const struct state_object *o = edge ? &w->s->objects.at[edge->target] : NULL;

	if (!o || drawing_is_inline(o))
		return;
	/* Of a variable that it leads to only if that is what differs. */
	if (o->variable && (!drawing_leaf(w, edge->target, 0, o->size) ||
	                    drawing_leaf(w, place->object, place->at, place->size)))
		return;
	*vec_push(&w->places) = (struct picture_place){.object = edge->target, .size = o->size};
}

/* Finds the places of a variable; none if it is not there. */
static void drawing_find(struct drawing *w, const struct picture_variable *variable)
{
	struct reader r = {.w = w, .at = variable->name, .function = variable->function};
	struct picture_place place;

	if (!variable->name || !*variable->name)
		return;
	place = expression(&r);
	if ((r.failed || *r.at) && !find_difference(w, variable->name, &place))
		return;
	if (!place.size)
		return;
	*vec_push(&w->places) = place;
	add_text(w, &place);
}

/* ------ what is in an object, down to scalars and texts ------ */

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

/* The first difference in these bytes, as in struct picture_part. */
static uint32_t drawing_leaf(const struct drawing *w, uint32_t object, uint64_t at, uint64_t size)
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

static struct picture_part *add_part(struct parts *p, const struct ctype *type, uint64_t at,
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
	struct picture_part *part = add_part(p, type, at, size);
	const struct state_object *target;

	part->leaf = find_leaf(p->w, part);
	part->edge = size == 8 ? pointer_at(p->w, p->o, type, at) : NULL;
	target = part->edge ? &p->w->s->objects.at[part->edge->target] : NULL;
	/* Of a text that has no box the pointer tells what differs in it. */
	if (target && drawing_is_inline(target) && !part->leaf)
		part->leaf = drawing_leaf(p->w, part->edge->target, 0, target->size);
}

/* --- texts --- */

/* Does no byte of these have a value? */
static bool drawing_is_empty(const struct state_object *o, uint64_t at, uint64_t size)
{
	if (!o->undefined)
		return !o->bytes;
	for (uint64_t i = at; i < at + size; i++)
		if (o->undefined[i] != 0xff)
			return false;
	return true;
}

/* Appends bytes of a char array as C. */
static void drawing_add_text(const struct state_object *o, uint64_t at, uint64_t size,
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

static int64_t drawing_first(struct drawing *w, uint32_t object);
static bool drawing_is_single(struct drawing *w, uint32_t object);

/* A difference that no other part shows. */
static void add_leaf(struct parts *p, uint32_t number)
{
	const struct state_leaf *leaf = &p->w->diff->leaves.at[number];
	struct picture_part *part = add_part(p, leaf->type_a, leaf->at_a, leaf->size_a);
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

static void add_text_part(struct parts *p, const struct ctype *element, uint64_t at, uint64_t size)
{
	struct picture_part *part = add_part(p, element, at, size);
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
	if (m->bit_size) {
		uint64_t bit = 8 * at + m->bit_offset;
		struct picture_part *part =
			add_part(p, m->type, bit / 8, (bit % 8 + m->bit_size + 7) / 8);

		part->bit = (uint8_t)(bit % 8);
		part->bits = m->bit_size;
		part->decides = decides(p->w, part);
		part->leaf = find_leaf(p->w, part);
	} else
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
		add_text_part(p, plain->target, at, count);
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
		add_text_part(p, &byte, 0, p->o->size);
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

static void add_parts_of_object(struct drawing *w, struct picture_draft *draft, uint32_t object,
                                const char *name)
{
	struct parts p = {.w = w, .draft = draft, .object = object, .o = &w->s->objects.at[object]};
	uint32_t count = 0;

	if (!p.o->bytes)
		return;
	if (name)
		str_add(&p.path, name);
	find_telling(&p);
	if (p.o->elements) {
		const struct ctype *plain = ctype_strip(p.o->type);

		/* A block of elements of its type. */
		if (!plain || !plain->size)
			add_untyped(&p);
		else if (is_char(plain))
			add_text_part(&p, p.o->type, 0, p.o->size);
		else if (drawing_is_single(p.w, p.object))
			go(&p, p.o->type, 0);
		else
			add_elements(&p, p.o->type, 0, p.o->size / plain->size,
			             drawing_first(p.w, p.object));
	} else
		go(&p, p.o->type, 0);
	/* What only the other run has: elements of an array that is longer there. */
	for (uint32_t i = first_leaf(p.w, p.object, 0); is_leaf_of(p.w, i, p.object); i++) {
		if (leaf_at(p.w, i)->at_a < p.o->size)
			continue;
		if (count++ < MOST_BEHIND)
			add_leaf(&p, p.w->leaves[i]);
		else
			p.draft->more++;
	}
	vec_deinit(&p.telling);
	str_deinit(&p.path);
}

static bool drawing_is_in_frame(const struct state_object *o);

/* A scalar that is alone in its frame's box, or what the function will return if that decides. */
static void add_parts_of_frame(struct drawing *w, struct picture_draft *draft)
{
	const struct state_frame *frame = &w->s->frames.at[draft->frame - 1];

	for (uint32_t i = frame->first; i < frame->first + frame->count; i++) {
		const struct state_object *o = &w->s->objects.at[i];

		if (!drawing_is_in_frame(o) ||
		    (!o->variable &&
		     !decides(w, &(struct picture_part){.object = i, .size = o->size})))
			continue;
		add_parts_of_object(w, draft, i,
		                    o->variable ? arena_printf(&w->arena, "%s%s", o->variable->name,
		                                               o->hint ? o->hint : "")
		                                : o->hint);
	}
}

static void drawing_add_parts(struct drawing *w, struct picture_draft *draft)
{
	if (draft->frame)
		add_parts_of_frame(w, draft);
	else
		add_parts_of_object(w, draft, draft->object, NULL);
}

/* ------ which objects become boxes, and which of their parts cells ------ */

/* --- cells --- */

/* What must not be left out comes first. */
static unsigned worth(const struct picture_part *part)
{
	return part->decides ? 3 : part->leaf ? 2 : part->edge ? 1 : 0;
}

/* Keeps as many as there may be, in their order. */
static void cut(struct picture_draft *draft)
{
	uint32_t room = PICTURE_CELLS, kept = 0, counts[4] = {0};

	for (uint32_t i = 0; i < draft->parts.size; i++)
		counts[worth(&draft->parts.at[i])]++;
	for (unsigned k = 4; k-- > 0;) {
		counts[k] = counts[k] < room ? counts[k] : room;
		room -= counts[k];
	}
	for (uint32_t i = 0; i < draft->parts.size; i++) {
		const struct picture_part *part = &draft->parts.at[i];

		if (!counts[worth(part)]) {
			draft->more++;
			continue;
		}
		counts[worth(part)]--;
		draft->parts.at[kept++] = *part;
	}
	draft->parts.size = kept;
}

/* --- boxes --- */

/* A new box; NULL: there is no room. */
static struct picture_draft *add(struct drawing *w)
{
	return w->boxes.size < PICTURE_BOXES ? vec_push(&w->boxes) : NULL;
}

static void fill(struct drawing *w, struct picture_draft *draft)
{
	drawing_add_parts(w, draft);
	cut(draft);
}

static void add_frame(struct drawing *w, uint32_t frame)
{
	struct picture_draft *draft;

	if (w->frame_of[frame - 1] || !(draft = add(w)))
		return;
	w->frame_of[frame - 1] = w->boxes.size;
	draft->frame = frame;
	fill(w, draft);
	for (uint32_t i = 0; i < draft->parts.size; i++)
		w->box_of[draft->parts.at[i].object] = w->boxes.size;
}

static void add_object(struct drawing *w, uint32_t object)
{
	const struct state_object *o = &w->s->objects.at[object];
	struct picture_draft *draft;

	if (w->box_of[object] || w->left[object] || drawing_is_inline(o))
		return;
	if (drawing_is_in_frame(o)) {
		add_frame(w, o->frame);
		w->box_of[object] = w->frame_of[o->frame - 1];
	} else if ((draft = add(w))) {
		w->box_of[object] = w->boxes.size;
		draft->object = object;
		fill(w, draft);
	}
	w->left[object] = !w->box_of[object];
	w->more += w->left[object];
}

/* --- which --- */

static uint32_t drawing_pair(struct drawing *w, uint32_t object);

/* The way to an object, from the variable on. */
static void add_way(struct drawing *w, uint32_t object)
{
	uint32_t pair = drawing_pair(w, object), from = w->self->pairs.at[pair].from;

	if (from && w->self->pairs.at[pair].depth <= PICTURE_BOXES)
		add_way(w, w->self->pairs.at[from - 1].a);
	add_object(w, object);
}

/* Breadth first; boxes are added at the end. */
static uint32_t follow(struct drawing *w, uint32_t done)
{
	for (; done < w->boxes.size; done++)
		for (uint32_t i = 0; i < w->boxes.at[done].parts.size; i++) {
			const struct state_edge *edge = w->boxes.at[done].parts.at[i].edge;

			if (edge)
				add_object(w, edge->target);
		}
	return done;
}

/* Does the function have a scalar to show? */
static bool has_scalar(const struct drawing *w, const struct state_frame *frame)
{
	for (uint32_t i = frame->first; i < frame->first + frame->count; i++)
		if (w->s->objects.at[i].variable && drawing_is_in_frame(&w->s->objects.at[i]))
			return true;
	return false;
}

/* Arrays and structures to which nothing points are drawn once they have a value. */
static bool is_worth(const struct drawing *w, uint32_t object)
{
	const struct state_object *o = &w->s->objects.at[object];

	return o->variable &&
	       (!drawing_is_empty(o, 0, o->size) || drawing_leaf(w, object, 0, o->size));
}

/* Chooses boxes and their parts, once the places are known. */
static void drawing_choose(struct drawing *w)
{
	uint32_t top = w->s->frames.size, done;
	const struct state_frame *frame = top ? &w->s->frames.at[top - 1] : NULL;

	for (uint32_t i = 0; i < w->places.size; i++)
		add_object(w, w->places.at[i].object);
	for (uint32_t i = 0; i < w->places.size; i++)
		add_way(w, w->places.at[i].object);
	if (frame && has_scalar(w, frame))
		add_frame(w, top);
	done = follow(w, 0);
	for (uint32_t i = 0; frame && i < frame->count; i++)
		if (is_worth(w, frame->first + i))
			add_object(w, frame->first + i);
	follow(w, done);
}

/* ------ the whole ------ */

#define LONGEST_NAME 120u /* characters of a text */

/* --- objects --- */

/* The pair of an object in w->self, which it gets if it has none. */
static uint32_t drawing_pair(struct drawing *w, uint32_t object)
{
	struct state_pair *pair;

	if (w->self->of_a[object])
		return w->self->of_a[object] - 1;
	pair = vec_push(&w->self->pairs);
	pair->a = pair->b = object;
	return (w->self->of_a[object] = w->self->pairs.size) - 1;
}

/* Is it a text that is shown where a pointer leads to it? */
static bool drawing_is_inline(const struct state_object *o)
{
	return !o->variable && o->elements && is_char(o->type) &&
	       (o->kind == OBJECT_GIVEN || o->kind == OBJECT_GLOBAL);
}

/* Is it shown in the box of its frame? */
static bool drawing_is_in_frame(const struct state_object *o)
{
	return o->frame && !o->elements && !o->dead && (o->variable || o->hint) &&
	       ctype_is_scalar(o->type);
}

/* The size of the elements of a block; 0: it is not known, or it is no block. */
static uint64_t drawing_element(const struct state_object *o)
{
	const struct ctype *plain = o->elements ? ctype_strip(o->type) : NULL;

	return plain ? plain->size : 0;
}

/* By how many elements cells are counted from: 2 if the block is named by a pointer to its element [2]. */
static int64_t drawing_first(struct drawing *w, uint32_t object)
{
	const struct state_pair *pair = &w->self->pairs.at[drawing_pair(w, object)];
	uint64_t size = drawing_element(&w->s->objects.at[object]);

	return size && !state_is_flexible(w->s->objects.at[object].type)
	               ? pair->offset / (int64_t)size
	               : 0;
}

/* Is the block a single element, so that cells need no index? */
static bool drawing_is_single(struct drawing *w, uint32_t object)
{
	const struct state_object *o = &w->s->objects.at[object];
	uint64_t size = drawing_element(o);

	if (!size || is_char(o->type))
		return !size;
	return state_is_flexible(o->type) || (o->size / size <= 1 && !drawing_first(w, object));
}

/* --- boxes --- */

/* `sort`, and `fact@3` when it is under way several times. */
static void add_function(const struct state *s, uint32_t frame, struct str *out)
{
	const char *function = s->frames.at[frame - 1].function;
	uint32_t same = 0;

	for (uint32_t i = 0; i < s->frames.size; i++)
		same += !strcmp(s->frames.at[i].function, function);
	str_add(out, function);
	if (same > 1)
		str_printf(out, "@%u", frame);
	str_add(out, "()");
}

/* What a pointer leads to is called by way of it. */
static void add_block_name(struct drawing *w, uint32_t object, struct str *out)
{
	const char *pointer = express_pair(w->self, drawing_pair(w, object));

	if (drawing_is_single(w, object))
		str_printf(out, "*%s", pointer);
	else
		str_printf(out, *pointer == '*' ? "(%s)[]" : "%s[]", pointer);
}

static char *box_name(struct drawing *w, const struct picture_draft *draft)
{
	const struct state_object *o = &w->s->objects.at[draft->object];
	const struct state_pair *pair;
	struct str out = STR_INIT;
	char *name = NULL;

	if (draft->frame) {
		add_function(w->s, draft->frame, &out);
		return str_steal(&out);
	}
	pair = &w->self->pairs.at[drawing_pair(w, draft->object)];
	if (o->variable || (!pair->from && !pair->waiting))
		name = express_variable(w->s, o);
	if (name)
		return name;
	if (pair->from || pair->waiting)
		add_block_name(w, draft->object, &out);
	else
		str_add_char(&out, '?');
	return str_steal(&out);
}

static char *box_type(struct drawing *w, const struct picture_draft *draft)
{
	const struct state_object *o = &w->s->objects.at[draft->object];
	struct ctype array = {.kind = CTYPE_ARRAY, .target = o->type, .size = o->size};
	struct str out = STR_INIT;

	if (draft->frame || !o->type)
		return NULL;
	if (o->elements && !drawing_is_single(w, draft->object)) {
		array.count = drawing_element(o) ? o->size / drawing_element(o) : 0;
		ctype_name(&array, &out);
	} else {
		ctype_name(o->type, &out);
	}
	return str_steal(&out);
}

static char *box_where(const struct state *s, const struct picture_draft *draft)
{
	const struct state_object *o = &s->objects.at[draft->object];
	struct str out = STR_INIT;

	if (draft->frame) {
		str_add(&out, "locals");
	} else if (o->omitted) {
		str_add(&out, "not taken");
	} else if (o->dead) {
		str_add(&out, o->kind == OBJECT_HEAP ? "freed" : "its function has returned");
	} else if (o->frame) {
		add_function(s, o->frame, &out);
	} else if (o->kind == OBJECT_GLOBAL) {
		if (o->variable && o->variable->scope)
			str_printf(&out, "static in %s()", o->variable->scope->function_name);
		else
			str_add(&out, o->variable ? "global" : "constant");
	} else if (o->kind == OBJECT_GIVEN) {
		str_add(&out, "arguments");
	} else if (o->kind == OBJECT_HEAP) {
		str_add(&out, "heap");
	}
	return out.length ? str_steal(&out) : NULL;
}

/* --- values --- */

static struct state_leaf leaf_of(struct drawing *w, const struct picture_part *part)
{
	static const struct ctype pointer = {.kind = CTYPE_POINTER, .size = 8};
	const struct ctype *plain = ctype_strip(part->type);
	bool is_pointer = part->edge || (plain && plain->kind == CTYPE_POINTER);
	const struct ctype *type =
		is_pointer && !(plain && plain->kind == CTYPE_POINTER) ? &pointer : part->type;

	return (struct state_leaf){.pair = drawing_pair(w, part->object),
	                           .shape = is_pointer ? LEAF_POINTER : LEAF_SCALAR,
	                           .bit = part->bit,
	                           .bits = part->bits,
	                           .at_a = part->at,
	                           .at_b = part->at,
	                           .size_a = part->size,
	                           .size_b = part->size,
	                           .type_a = type,
	                           .type_b = type,
	                           .path = ""};
}

static char *text_at(const struct state_object *o, int64_t offset)
{
	struct str out = STR_INIT;
	uint64_t length;

	if (offset < 0 || (uint64_t)offset >= o->size ||
	    !state_text(o, (uint64_t)offset, o->size - (uint64_t)offset, &length))
		return NULL;
	ctype_print_text(o->bytes + offset, length, LONGEST_NAME, &out);
	return str_steal(&out);
}

/* Of a pointer. One to the beginning of a box needs no words, unless several variables share it. */
static char *pointer_value(struct drawing *w, const struct picture_part *part, uint32_t target)
{
	const struct state_object *o = &w->s->objects.at[part->edge->target];
	const struct state_leaf leaf = leaf_of(w, part);
	const struct state_pair *pair;
	char *text = NULL;

	if (drawing_is_inline(o))
		text = text_at(o, part->edge->offset);
	if (text)
		return text;
	if (target && !part->edge->offset && !w->boxes.at[target - 1].frame)
		return NULL;
	pair = &w->self->pairs.at[drawing_pair(w, part->edge->target)];
	/* The block is named by this very pointer. */
	if (target && o->elements && !o->variable && pair->from == leaf.pair + 1 &&
	    pair->at == part->at) {
		const char *name = express_pair(w->self, drawing_pair(w, part->edge->target));

		return str_format(*name == '*' ? "&(%s)[0]" : "&%s[0]", name);
	}
	return value_of_leaf(w->self, &leaf, false);
}

static char *part_value(struct drawing *w, const struct picture_part *part, uint32_t target)
{
	const struct state_object *o = &w->s->objects.at[part->object];
	struct str out = STR_INIT;
	struct state_leaf leaf;

	if (part->leaf_only)
		return value_of_leaf(w->diff, &w->diff->leaves.at[part->leaf - 1], false);
	if (part->text) {
		drawing_add_text(o, part->at, part->size, part->type, &out);
		return str_steal(&out);
	}
	if (part->edge)
		return pointer_value(w, part, target);
	leaf = leaf_of(w, part);
	return value_of_leaf(w->self, &leaf, false);
}

/* A text of another size may be there; what is not both a text may begin elsewhere. */
static char *text_reference(struct drawing *w, const struct picture_part *part,
                            const struct state_leaf *leaf)
{
	const struct state_object *b = leaf_object(w->diff, leaf, true);
	uint64_t at = leaf->at_b - (leaf->at_a - part->at);
	uint64_t size = leaf->shape == LEAF_TEXT ? leaf->size_b : part->size;
	struct str out = STR_INIT;

	if (at > b->size)
		return mem_strdup("?");
	drawing_add_text(b, at, size < b->size - at ? size : b->size - at, part->type, &out);
	return str_steal(&out);
}

static char *part_reference(struct drawing *w, const struct picture_part *part)
{
	const struct state_leaf *leaf;

	if (!part->leaf)
		return NULL;
	leaf = &w->diff->leaves.at[part->leaf - 1];
	if (part->text && leaf->at_a >= part->at && !part->leaf_only)
		return text_reference(w, part, leaf);
	return value_of_leaf(w->diff, leaf, true);
}

/* --- all --- */

static void draw_cell(struct drawing *w, const struct picture_part *part, struct picture_cell *out)
{
	out->name = part->name ? mem_strdup(part->name) : NULL;
	out->target = part->edge ? w->box_of[part->edge->target] : 0;
	out->value = part_value(w, part, out->target);
	out->reference = part_reference(w, part);
	out->decides = part->decides;
}

static void draw_box(struct drawing *w, const struct picture_draft *draft, struct picture_box *out)
{
	out->name = box_name(w, draft);
	out->type = box_type(w, draft);
	out->where = box_where(w->s, draft);
	out->more = draft->more;
	for (uint32_t i = 0; i < draft->parts.size; i++)
		draw_cell(w, &draft->parts.at[i], vec_push(&out->cells));
}

static int by_place(const void *a, const void *b, void *context)
{
	const struct state_diff *d = context;
	const struct state_leaf *x = &d->leaves.at[*(const uint32_t *)a];
	const struct state_leaf *y = &d->leaves.at[*(const uint32_t *)b];
	uint32_t p = d->pairs.at[x->pair].a, q = d->pairs.at[y->pair].a;

	if (p != q)
		return p < q ? -1 : 1;
	if (x->at_a != y->at_a)
		return x->at_a < y->at_a ? -1 : 1;
	return x->bit < y->bit ? -1 : x->bit > y->bit;
}

static void sort_leaves(struct drawing *w)
{
	uint32_t count = w->diff->leaves.size;

	w->leaves = arena_new_array(&w->arena, uint32_t, count + 1);
	for (uint32_t i = 0; i < count; i++)
		w->leaves[i] = i;
	qsort_r(w->leaves, count, sizeof(*w->leaves), by_place, w->diff);
}

void picture_init(struct picture *picture, const struct state *s, const struct state *other,
                  const struct alignment *alignment, const struct picture_variable *variables,
                  uint32_t count)
{
	struct drawing w = {.s = s, .self = compare_begin(s, s, NULL)};

	*picture = (struct picture){0};
	if (other) {
		w.diff = compare_begin(s, other, alignment);
		sort_leaves(&w);
	}
	w.box_of = arena_new_array(&w.arena, uint32_t, s->objects.size + 1);
	w.frame_of = arena_new_array(&w.arena, uint32_t, s->frames.size + 1);
	w.left = arena_new_array(&w.arena, bool, s->objects.size + 1);
	for (uint32_t i = 0; i < count; i++)
		drawing_find(&w, &variables[i]);
	drawing_choose(&w);
	for (uint32_t i = 0; i < w.boxes.size; i++) {
		draw_box(&w, &w.boxes.at[i], vec_push(&picture->boxes));
		vec_deinit(&w.boxes.at[i].parts);
	}
	picture->more = w.more;
	vec_deinit(&w.boxes);
	vec_deinit(&w.places);
	arena_deinit(&w.arena);
	state_diff_destroy(w.diff);
	state_diff_destroy(w.self);
}

void picture_deinit(struct picture *picture)
{
	for (uint32_t i = 0; i < picture->boxes.size; i++) {
		struct picture_box *box = &picture->boxes.at[i];

		for (uint32_t k = 0; k < box->cells.size; k++) {
			free(box->cells.at[k].name);
			free(box->cells.at[k].value);
			free(box->cells.at[k].reference);
		}
		vec_deinit(&box->cells);
		free(box->name);
		free(box->type);
		free(box->where);
	}
	vec_deinit(&picture->boxes);
}
