/*
 * Where a variable is in a state, by the name that a step of an explanation gives it: `a[2]`, `p->next->val`, `*q`,
 * `main.argc`, `buf[3..7]`. Other names are those of differences, which say where they are.
 */
#include <ctype.h>

#include "state/picture_work.h"

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

void drawing_find(struct drawing *w, const struct picture_variable *variable)
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
