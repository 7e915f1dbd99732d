/*
 * Goes through two objects of the same type side by side, down to what is compared at once: scalars,
 * bit-fields, pointers, texts. Parts whose bytes are the same and have no pointers are passed over.
 */
#include <stdio.h>

#include "state/compare.h"

#define CHUNK 4096u /* bytes of an array that are looked at at once */
#define STEPS 64u   /* members and indices in one path */

/* A member, or an index if there is no name. */
struct step {
	const char *member;
	uint64_t index;
};

struct pass {
	struct state_diff *d;
	const struct state_object *a, *b;
	uint32_t pair;
	bool element;
	int64_t index;
	struct step steps[STEPS];
	uint32_t depth;
};

/* The same part of two objects. */
struct spot {
	const struct ctype *ta, *tb;
	uint64_t a, b;
};

static void go(struct pass *p, struct spot at);

/* --- paths --- */

static const char *render(struct pass *p)
{
	struct str text = STR_INIT;
	char *copy;

	for (uint32_t i = 0; i < p->depth; i++)
		if (p->steps[i].member)
			str_printf(&text, ".%s", p->steps[i].member);
		else
			str_printf(&text, "[%llu]", (unsigned long long)p->steps[i].index);
	copy = arena_strdup(&p->d->arena, str_text(&text));
	str_deinit(&text);
	return copy;
}

static bool push(struct pass *p, const char *member, uint64_t index)
{
	if (p->depth == STEPS)
		return false;
	p->steps[p->depth++] = (struct step){member, index};
	return true;
}

/* --- what is the same --- */

static bool has_edges(const struct state *s, const struct state_object *o, uint64_t at,
                      uint64_t size)
{
	uint32_t i = state_first_edge(s, o, at);

	return i < o->first_edge + o->edge_count && s->edges.at[i].at < at + size;
}

static bool is_same(const struct pass *p, uint64_t a, uint64_t b, uint64_t size)
{
	const uint8_t *x = state_bytes(p->a, a, size), *y = state_bytes(p->b, b, size);

	if (!x || !y || memcmp(x, y, size))
		return false;
	if (a + size > p->a->size || b + size > p->b->size)
		return false;
	if (p->a->undefined || p->b->undefined) {
		if (!p->a->undefined || !p->b->undefined ||
		    memcmp(p->a->undefined + a, p->b->undefined + b, size))
			return false;
	}
	return !has_edges(p->d->a, p->a, a, size) && !has_edges(p->d->b, p->b, b, size);
}

/* --- leaves --- */

static struct state_leaf leaf_at(const struct pass *p, struct spot at, uint64_t size)
{
	return (struct state_leaf){.pair = p->pair,
	                           .at_a = at.a,
	                           .at_b = at.b,
	                           .size_a = size,
	                           .size_b = size,
	                           .type_a = at.ta,
	                           .type_b = at.tb,
	                           .element = p->element,
	                           .index = p->index};
}

static bool is_known(const struct state_object *o, const struct state_leaf *l, bool second)
{
	uint64_t at = second ? l->at_b : l->at_a, size = second ? l->size_b : l->size_a;

	if (!state_bytes(o, at, size))
		return false;
	return at >= o->size ||
	       !state_is_undefined(o, 8 * at + l->bit, l->bits ? l->bits : 8 * size);
}

static bool same_bits(const struct pass *p, const struct state_leaf *l)
{
	const uint8_t *x = state_bytes(p->a, l->at_a, l->size_a);
	const uint8_t *y = state_bytes(p->b, l->at_b, l->size_b);

	if (!l->bits)
		return !memcmp(x, y, l->size_a);
	for (uint32_t k = l->bit; k < l->bit + l->bits; k++)
		if ((x[k / 8] ^ y[k / 8]) >> k % 8 & 1)
			return false;
	return true;
}

static bool is_pointer(const struct ctype *type)
{
	type = ctype_strip(type);
	return type && type->kind == CTYPE_POINTER;
}

static void note(struct pass *p, struct state_leaf *l)
{
	l->path = render(p);
	compare_leaf(p->d, l);
}

/* Do both point to places that correspond? What has no place of its own is compared by value. */
static bool same_pointers(struct pass *p, struct state_leaf *l, const struct state_edge *x,
                          const struct state_edge *y)
{
	const struct ctype *target = ctype_strip(ctype_strip(l->type_a)->target);
	uint64_t v, w;

	memcpy(&v, state_bytes(p->a, l->at_a, 8), 8);
	memcpy(&w, state_bytes(p->b, l->at_b, 8), 8);
	if (x && y) {
		l->path = p->d->of_a[x->target] ? "" : render(p);
		return pairs_lead(p->d, l, x, y);
	}
	if (x || y || !v || !w)
		return !x && !y && v == w;
	/* Of functions the place counts; the C library's memory is nobody's business. */
	if (target && target->kind == CTYPE_FUNCTION) {
		const char *const *f = function_names_find(&p->d->a->world->functions, v);
		const char *const *g = function_names_find(&p->d->b->world->functions, w);

		return f && g ? !strcmp(*f, *g) : v == w;
	}
	return true;
}

static const struct ctype pointer_type = {.kind = CTYPE_POINTER, .size = 8};

static void pointer(struct pass *p, struct spot at)
{
	struct state_leaf l = leaf_at(p, at, 8);
	const struct state_edge *x = state_edge_at(p->d->a, p->a, at.a);
	const struct state_edge *y = state_edge_at(p->d->b, p->b, at.b);
	bool known_a = is_known(p->a, &l, false), known_b = is_known(p->b, &l, true);

	l.shape = LEAF_POINTER;
	if (!is_pointer(l.type_a))
		l.type_a = &pointer_type;
	if (!is_pointer(l.type_b))
		l.type_b = &pointer_type;
	if (!known_a && !known_b)
		return;
	if (!known_a || !known_b || !same_pointers(p, &l, x, y))
		note(p, &l);
}

/* Is there a pointer in what is no pointer by its type? */
static bool holds_pointer(struct pass *p, struct spot at)
{
	const struct state_edge *x = state_edge_at(p->d->a, p->a, at.a);
	const struct state_edge *y = state_edge_at(p->d->b, p->b, at.b);

	if (x && y && x->guessed && y->guessed)
		return p->d->match_a[x->target] == y->target + 1 && x->offset == y->offset;
	return (x && !x->guessed) || (y && !y->guessed);
}

static void scalar(struct pass *p, struct spot at, uint64_t size)
{
	struct state_leaf l = leaf_at(p, at, size);
	bool known_a, known_b;

	if (size == 8 && (is_pointer(at.ta) || holds_pointer(p, at))) {
		pointer(p, at);
		return;
	}
	known_a = is_known(p->a, &l, false);
	known_b = is_known(p->b, &l, true);
	if ((known_a || known_b) && !(known_a && known_b && same_bits(p, &l)))
		note(p, &l);
}

static void bit_field(struct pass *p, const struct ctype_member *m, const struct ctype_member *n,
                      struct spot at)
{
	uint64_t bit = 8 * at.a + m->bit_offset;
	struct spot byte = {m->type, n->type, bit / 8, at.b + n->bit_offset / 8};
	struct state_leaf l = leaf_at(p, byte, (bit % 8 + m->bit_size + 7) / 8);
	bool known_a, known_b;

	l.bit = (uint8_t)(bit % 8);
	l.bits = m->bit_size;
	known_a = is_known(p->a, &l, false);
	known_b = is_known(p->b, &l, true);
	if ((known_a || known_b) && !(known_a && known_b && same_bits(p, &l)))
		note(p, &l);
}

/* Something that is compared as a whole, pointers in it as such. */
static void blob(struct pass *p, struct spot at, uint64_t size)
{
	struct state_leaf l = leaf_at(p, at, size);

	l.shape = LEAF_BYTES;
	if (!is_same(p, at.a, at.b, size))
		note(p, &l);
}

/* --- text --- */

static bool is_char(const struct ctype *type)
{
	type = ctype_strip(type);
	return type && type->kind == CTYPE_CHAR;
}

/* What lies behind two texts that are the same. */
static void rest(struct pass *p, struct spot at, uint64_t size, uint64_t skip)
{
	uint64_t first = skip, end = size;
	const uint8_t *x = p->a->bytes + at.a, *y = p->b->bytes + at.b;

	while (first < end && x[first] == y[first])
		first++;
	while (end > first && x[end - 1] == y[end - 1])
		end--;
	if (first == end || state_is_undefined(p->a, 8 * (at.a + first), 8 * (end - first)) ||
	    state_is_undefined(p->b, 8 * (at.b + first), 8 * (end - first)))
		return;
	if (push(p, NULL, first)) {
		blob(p, (struct spot){NULL, NULL, at.a + first, at.b + first}, end - first);
		p->depth--;
	}
}

/* Two char arrays, or blocks of chars, if both hold text. */
static bool text(struct pass *p, struct spot at, uint64_t size_a, uint64_t size_b)
{
	uint64_t length_a, length_b;
	struct state_leaf l = leaf_at(p, at, size_a);

	if (!state_text(p->a, at.a, size_a, &length_a) ||
	    !state_text(p->b, at.b, size_b, &length_b))
		return false;
	if (has_edges(p->d->a, p->a, at.a, size_a) || has_edges(p->d->b, p->b, at.b, size_b))
		return false;
	if (length_a == length_b && !memcmp(p->a->bytes + at.a, p->b->bytes + at.b, length_a)) {
		if (size_a == size_b)
			rest(p, at, size_a, length_a + 1);
		return true;
	}
	l.shape = LEAF_TEXT;
	l.size_b = size_b;
	note(p, &l);
	return true;
}

/* --- composite types --- */

static const struct ctype_member *counterpart(const struct ctype *type, uint32_t index,
                                              const struct ctype_member *m)
{
	if (index < type->member_count) {
		const struct ctype_member *n = &type->members[index];

		if (n == m || (!m->name && !n->name) ||
		    (m->name && n->name && !strcmp(m->name, n->name)))
			return n;
	}
	for (uint32_t i = 0; m->name && i < type->member_count; i++)
		if (type->members[i].name && !strcmp(type->members[i].name, m->name))
			return &type->members[i];
	return NULL;
}

static void member(struct pass *p, struct spot at, const struct ctype_member *m,
                   const struct ctype_member *n)
{
	uint32_t depth = p->depth;

	if (!n || m->bit_size != n->bit_size || (m->name && !push(p, m->name, 0)))
		return;
	if (m->bit_size)
		bit_field(p, m, n, at);
	else
		go(p, (struct spot){m->type, n->type, at.a + m->bit_offset / 8,
		                    at.b + n->bit_offset / 8});
	p->depth = depth;
}

static void structure(struct pass *p, struct spot at, const struct ctype *ta,
                      const struct ctype *tb)
{
	for (uint32_t i = 0; i < ta->member_count; i++) {
		const struct ctype_member *m = &ta->members[i];

		member(p, at, m, counterpart(tb, i, m));
	}
}

/* Of a union the member that was stored last counts. */
static void overlay(struct pass *p, struct spot at, const struct ctype *ta, const struct ctype *tb)
{
	const struct ctype_member *m = state_union_member(p->d->a, p->a, ta, at.a);
	const struct ctype_member *n = state_union_member(p->d->b, p->b, tb, at.b);

	if (!m || !n)
		return;
	if (m == n || (m->name && n->name && !strcmp(m->name, n->name)))
		member(p, at, m, n);
	else if (ta->size == tb->size && ta->size <= p->a->size - at.a &&
	         ta->size <= p->b->size - at.b)
		blob(p, at, ta->size);
}

/* Elements in [first, end) of an array. */
static void elements(struct pass *p, struct spot at, uint64_t size, uint64_t first, uint64_t end)
{
	uint64_t many = size < CHUNK ? CHUNK / size : 1;

	for (uint64_t i = first; i < end; i += many) {
		uint64_t last = end - i < many ? end : i + many;

		if (is_same(p, at.a + i * size, at.b + i * size, (last - i) * size))
			continue;
		for (uint64_t k = i; k < last; k++) {
			struct spot one = {at.ta, at.tb, at.a + k * size, at.b + k * size};

			if (!push(p, NULL, k))
				return;
			go(p, one);
			p->depth--;
		}
	}
}

/* How many elements there are; an array without length goes on to the end of its object. */
static uint64_t count_of(const struct ctype *array, const struct state_object *o, uint64_t at,
                         uint64_t size)
{
	if (array->count != CTYPE_NO_COUNT && array->count)
		return array->count;
	return o->size > at ? (o->size - at) / size : 0;
}

static void array(struct pass *p, struct spot at, const struct ctype *ta, const struct ctype *tb)
{
	const struct ctype *element = ctype_strip(ta->target), *other = ctype_strip(tb->target);
	uint64_t size = element ? element->size : 0, na, nb;

	if (!size || !other || other->size != size)
		return;
	na = count_of(ta, p->a, at.a, size);
	nb = count_of(tb, p->b, at.b, size);
	if (is_char(element) && at.a + na <= p->a->size && at.b + nb <= p->b->size &&
	    text(p, at, na, nb))
		return;
	at.ta = ta->target;
	at.tb = tb->target;
	elements(p, at, size, 0, na > nb ? na : nb);
}

static void go(struct pass *p, struct spot at)
{
	const struct ctype *ta = ctype_strip(at.ta), *tb = ctype_strip(at.tb);
	bool scalars = ctype_is_scalar(ta) && ctype_is_scalar(tb);

	if (!ta || !tb || (ta->kind != tb->kind && !(scalars && ta->size == tb->size)))
		return;
	switch (ta->kind) {
	case CTYPE_STRUCT: structure(p, at, ta, tb); break;
	case CTYPE_UNION: overlay(p, at, ta, tb); break;
	case CTYPE_VECTOR:
	case CTYPE_ARRAY: array(p, at, ta, tb); break;
	case CTYPE_FLOAT: scalar(p, at, ta->size == 16 && !ta->ieee_quad ? 10 : ta->size); break;
	default:
		if (scalars && ta->size == tb->size)
			scalar(p, at, ta->size);
	}
}

/* --- blocks --- */

static const struct ctype raw_types[] = {
	{.kind = CTYPE_CHAR, .is_signed = true, .name = "char", .size = 1},
	{.kind = CTYPE_INTEGER, .is_signed = true, .name = "short", .size = 2},
	{.kind = CTYPE_INTEGER, .is_signed = true, .name = "int", .size = 4},
	{.kind = CTYPE_INTEGER, .is_signed = true, .name = "long", .size = 8},
	{.kind = CTYPE_FLOAT, .name = "float", .size = 4},
	{.kind = CTYPE_FLOAT, .name = "double", .size = 8},
};

/* The type of what was stored at a place of a block without a type. */
static const struct ctype *stored_type(const struct state *s, const struct state_object *o,
                                       uint64_t at)
{
	const struct state_run *run = state_run_at(s, o, at);
	uint64_t size = run && run->at == at ? state_run_size(s, o, run) : 0;

	for (size_t i = run && run->bits == STORED_REAL ? 4 : 0;
	     i < sizeof(raw_types) / sizeof(*raw_types); i++)
		if (raw_types[i].size == size && run->bits != STORED_OTHER)
			return &raw_types[i];
	return &raw_types[0];
}

/* A block of which nobody says what is in it: as it was stored. */
static void untyped(struct pass *p)
{
	uint64_t end = p->a->size > p->b->size ? p->a->size : p->b->size;
	struct spot whole = {&raw_types[0], &raw_types[0], 0, 0};

	p->element = false;
	if (text(p, whole, p->a->size, p->b->size))
		return;
	for (uint64_t at = 0; at < end;) {
		const struct ctype *type = at < p->a->size ? stored_type(p->d->a, p->a, at)
		                                           : stored_type(p->d->b, p->b, at);
		struct spot one = {type, type, at, at};

		if (at % CHUNK == 0 && at + CHUNK <= end && is_same(p, at, at, CHUNK)) {
			at += CHUNK;
			continue;
		}
		if (holds_pointer(p, one)) {
			pointer(p, one);
			at += 8;
			continue;
		}
		scalar(p, one, type->size);
		at += type->size;
	}
}

/* How far two blocks are compared: the NULL at the end of a longer argv does not count. */
static uint64_t longest_of(const struct pass *p)
{
	uint64_t a = p->a->size, b = p->b->size;

	if (p->a->kind == OBJECT_GIVEN && a != b)
		return a > b ? a - 8 : b - 8;
	return a > b ? a : b;
}

static void block(struct pass *p)
{
	const struct ctype *ta = ctype_strip(p->a->type), *tb = ctype_strip(p->b->type);
	uint64_t longest = longest_of(p), many;

	if (is_char(ta) &&
	    text(p, (struct spot){p->a->type, p->b->type, 0, 0}, p->a->size, p->b->size))
		return;
	p->element = true;
	if (state_is_flexible(ta)) {
		go(p, (struct spot){p->a->type, p->b->type, 0, 0});
		return;
	}
	many = ta->size < CHUNK ? CHUNK / ta->size : 1;
	for (uint64_t i = 0; i < longest / ta->size; i++) {
		uint64_t at = i * ta->size;
		struct spot one = {p->a->type, p->b->type, at, at};

		if (i % many == 0 && is_same(p, at, at, many * ta->size)) {
			i += many - 1;
			continue;
		}
		p->index = (int64_t)i;
		if (is_char(ta) && tb->size == 1 && holds_pointer(p, one)) {
			pointer(p, one);
			i += 7;
			continue;
		}
		go(p, one);
	}
}

void leaves_compare(struct state_diff *d, uint32_t pair)
{
	struct pass p = {.d = d, .pair = pair};
	const struct ctype *ta, *tb;

	if (d->pairs.at[pair].b == PAIR_ALONE)
		return;
	p.a = &d->a->objects.at[d->pairs.at[pair].a];
	p.b = &d->b->objects.at[d->pairs.at[pair].b];
	if (!p.a->bytes || !p.b->bytes)
		return;
	ta = ctype_strip(p.a->type);
	tb = ctype_strip(p.b->type);
	if (!p.a->elements)
		go(&p, (struct spot){p.a->type, p.b->type, 0, 0});
	else if (ta && tb && ta->size && ta->size == tb->size)
		block(&p);
	else
		untyped(&p);
}
