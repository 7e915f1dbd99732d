/*
 * The smallest parts of two objects that correspond: scalars, bit-fields, pointers, texts. What is not
 * known on both sides is no difference.
 */
#include "state/pass.h"

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

bool pass_push(struct pass *p, const char *member, uint64_t index)
{
	if (p->depth == PASS_STEPS)
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

bool pass_is_same(const struct pass *p, uint64_t a, uint64_t b, uint64_t size)
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
	                           .text = p->text,
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

void pass_pointer(struct pass *p, struct spot at)
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
bool pass_holds_pointer(struct pass *p, struct spot at)
{
	const struct state_edge *x = state_edge_at(p->d->a, p->a, at.a);
	const struct state_edge *y = state_edge_at(p->d->b, p->b, at.b);

	if (x && y && x->guessed && y->guessed)
		return p->d->match_a[x->target] == y->target + 1 && x->offset == y->offset;
	return (x && !x->guessed) || (y && !y->guessed);
}

void pass_scalar(struct pass *p, struct spot at, uint64_t size)
{
	struct state_leaf l = leaf_at(p, at, size);
	bool known_a, known_b;

	if (size == 8 && (is_pointer(at.ta) || pass_holds_pointer(p, at))) {
		pass_pointer(p, at);
		return;
	}
	known_a = is_known(p->a, &l, false);
	known_b = is_known(p->b, &l, true);
	if ((known_a || known_b) && !(known_a && known_b && same_bits(p, &l)))
		note(p, &l);
}

void pass_bit_field(struct pass *p, const struct ctype_member *m, const struct ctype_member *n,
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

/* Does a byte differ, as far as it is known on both sides? */
static bool byte_differs(const struct pass *p, uint64_t a, uint64_t b)
{
	return p->a->bytes[a] != p->b->bytes[b] && !state_is_undefined(p->a, 8 * a, 8) &&
	       !state_is_undefined(p->b, 8 * b, 8);
}

/* Something that is compared as a whole. What is undefined on one side does not count. */
void pass_blob(struct pass *p, struct spot at, uint64_t size)
{
	struct state_leaf l = leaf_at(p, at, size);

	l.shape = LEAF_BYTES;
	for (uint64_t k = 0; k < size; k++)
		if (byte_differs(p, at.a + k, at.b + k)) {
			note(p, &l);
			return;
		}
}

/* --- text --- */

/* What lies behind two texts that are the same: one difference, however much it is. */
static void rest(struct pass *p, struct spot at, uint64_t size, uint64_t skip)
{
	static const struct ctype byte = {
		.kind = CTYPE_CHAR, .is_signed = true, .name = "char", .size = 1};
	uint64_t first = skip, end = size;
	struct spot from;

	while (first < end && !byte_differs(p, at.a + first, at.b + first))
		first++;
	while (end > first && !byte_differs(p, at.a + end - 1, at.b + end - 1))
		end--;
	from = (struct spot){NULL, NULL, at.a + first, at.b + first};
	if (first == end || !pass_push(p, NULL, first))
		return;
	p->text = at.a + 1;
	if (end - first == 1) {
		from.ta = from.tb = &byte;
		pass_scalar(p, from, 1);
	} else {
		pass_blob(p, from, end - first);
	}
	p->text = 0;
	p->depth--;
}

/* Bytes that are numbers may look like text, too: most often like none at all. */
static bool is_number(const struct ctype *type)
{
	type = ctype_strip(type);
	type = type && type->kind == CTYPE_ARRAY ? ctype_strip(type->target) : type;
	return type && type->name && strcmp(type->name, "char");
}

/* Is nothing there but zeros and what has no value? */
static bool is_empty(const struct state_object *o, uint64_t at, uint64_t size)
{
	for (uint64_t k = at; k < at + size; k++)
		if (o->bytes[k] && !state_is_undefined(o, 8 * k, 8))
			return false;
	return true;
}

/* Two char arrays, or blocks of chars, if both hold text. */
bool pass_text(struct pass *p, struct spot at, uint64_t size_a, uint64_t size_b)
{
	uint64_t length_a, length_b;
	struct state_leaf l = leaf_at(p, at, size_a);

	if (!state_text(p->a, at.a, size_a, &length_a) ||
	    !state_text(p->b, at.b, size_b, &length_b))
		return false;
	if (is_number(at.ta) && (!length_a || !length_b))
		return false;
	if (has_edges(p->d->a, p->a, at.a, size_a) || has_edges(p->d->b, p->b, at.b, size_b))
		return false;
	if (length_a == length_b && !memcmp(p->a->bytes + at.a, p->b->bytes + at.b, length_a)) {
		if (size_a != size_b) /* what lies behind it is looked at byte by byte */
			return is_empty(p->a, at.a + length_a, size_a - length_a) &&
			       is_empty(p->b, at.b + length_b, size_b - length_b);
		rest(p, at, size_a, length_a + 1);
		return true;
	}
	l.shape = LEAF_TEXT;
	l.text = at.a + 1;
	l.size_b = size_b;
	note(p, &l);
	return true;
}
