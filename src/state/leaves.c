/*
 * Goes through two objects of the same type side by side, down to what is compared at once (pass.c). Parts
 * whose bytes are the same and have no pointers are passed over.
 */
#include "state/pass.h"

#define CHUNK 4096u /* bytes of an array that are looked at at once */

static void go(struct pass *p, struct spot at);

static bool is_char(const struct ctype *type)
{
	type = ctype_strip(type);
	return type && type->kind == CTYPE_CHAR;
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

	if (!n || m->bit_size != n->bit_size || (m->name && !pass_push(p, m->name, 0)))
		return;
	if (m->bit_size)
		pass_bit_field(p, m, n, at);
	else
		go(p, (struct spot){m->type, n->type, at.a + m->bit_offset / 8,
		                    at.b + n->bit_offset / 8});
	p->depth = depth;
}

/* There are addresses in it that nobody can tell, some of them scrambled. */
bool leaves_is_opaque(const struct ctype *type)
{
	static const char *const names[] = {"__jmp_buf_tag",   "_IO_FILE", "__va_list_tag",
	                                    "__locale_struct", "obstack",  "random_data"};

	for (; type; type = type->kind >= CTYPE_TYPEDEF ? type->target : NULL)
		for (size_t i = 0; type->name && i < sizeof(names) / sizeof(*names); i++)
			if (!strcmp(type->name, names[i]))
				return true;
	return false;
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
	if (counterpart(tb, (uint32_t)(m - ta->members), m) == n)
		member(p, at, m, n);
	else if (ta->size == tb->size && ta->size <= p->a->size - at.a &&
	         ta->size <= p->b->size - at.b)
		pass_blob(p, at, ta->size);
}

/* Elements in [first, end) of an array. */
static void elements(struct pass *p, struct spot at, uint64_t size, uint64_t first, uint64_t end)
{
	uint64_t many = size < CHUNK ? CHUNK / size : 1;

	for (uint64_t i = first; i < end; i += many) {
		uint64_t last = end - i < many ? end : i + many;

		if (pass_is_same(p, at.a + i * size, at.b + i * size, (last - i) * size))
			continue;
		for (uint64_t k = i; k < last; k++) {
			struct spot one = {at.ta, at.tb, at.a + k * size, at.b + k * size};

			if (!pass_push(p, NULL, k))
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
	    pass_text(p, at, na, nb))
		return;
	at.ta = ta->target;
	at.tb = tb->target;
	elements(p, at, size, 0, na > nb ? na : nb);
}

static void go(struct pass *p, struct spot at)
{
	const struct ctype *ta = ctype_strip(at.ta), *tb = ctype_strip(at.tb);
	bool scalars = ctype_is_scalar(ta) && ctype_is_scalar(tb);

	if (!ta || !tb || leaves_is_opaque(at.ta) ||
	    (ta->kind != tb->kind && !(scalars && ta->size == tb->size)))
		return;
	switch (ta->kind) {
	case CTYPE_STRUCT: structure(p, at, ta, tb); break;
	case CTYPE_UNION: overlay(p, at, ta, tb); break;
	case CTYPE_VECTOR:
	case CTYPE_ARRAY: array(p, at, ta, tb); break;
	case CTYPE_FLOAT:
		pass_scalar(p, at, ta->size == 16 && !ta->ieee_quad ? 10 : ta->size);
		break;
	default:
		if (scalars && ta->size == tb->size)
			pass_scalar(p, at, ta->size);
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

const struct ctype *leaves_stored_type(const struct state *s, const struct state_object *o,
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
	if (pass_text(p, whole, p->a->size, p->b->size))
		return;
	for (uint64_t at = 0; at < end;) {
		const struct ctype *type = at < p->a->size ? leaves_stored_type(p->d->a, p->a, at)
		                                           : leaves_stored_type(p->d->b, p->b, at);
		struct spot one = {type, type, at, at};

		if (at % CHUNK == 0 && at + CHUNK <= end && pass_is_same(p, at, at, CHUNK)) {
			at += CHUNK;
			continue;
		}
		if (pass_holds_pointer(p, one)) {
			pass_pointer(p, one);
			at += 8;
			continue;
		}
		pass_scalar(p, one, type->size);
		at += type->size;
	}
}

/* How many elements are compared: all of the longer one, but for the NULL at the end of argv. */
static uint64_t count_elements(const struct pass *p, uint64_t size_a, uint64_t size_b)
{
	uint64_t a = (p->a->size + size_a - 1) / size_a, b = (p->b->size + size_b - 1) / size_b;

	if (p->a->kind == OBJECT_GIVEN && size_a == 8 && a != b)
		return a > b ? a - 1 : b - 1;
	return a > b ? a : b;
}

/* May elements of these types be compared? */
static bool are_alike(const struct ctype *ta, const struct ctype *tb)
{
	if (!ta || !tb || !ta->size || !tb->size)
		return false;
	return ta->size == tb->size ||
	       (ta->kind == tb->kind && ta->name && tb->name && !strcmp(ta->name, tb->name));
}

/* A block of elements; two versions of a program may have different ones. */
static void block(struct pass *p)
{
	const struct ctype *ta = ctype_strip(p->a->type), *tb = ctype_strip(p->b->type);
	struct spot whole = {p->a->type, p->b->type, 0, 0};
	uint64_t many = ta->size < CHUNK ? CHUNK / ta->size : 1;
	uint64_t count = count_elements(p, ta->size, tb->size);

	if (is_char(ta) && pass_text(p, whole, p->a->size, p->b->size))
		return;
	p->element = true;
	if (state_is_flexible(ta)) {
		go(p, whole);
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		struct spot one = {p->a->type, p->b->type, i * ta->size, i * tb->size};

		if (i % many == 0 && ta->size == tb->size &&
		    pass_is_same(p, one.a, one.b, many * ta->size)) {
			i += many - 1;
			continue;
		}
		p->index = (int64_t)i;
		if (is_char(ta) && pass_holds_pointer(p, one)) {
			pass_pointer(p, one);
			i += 7;
			continue;
		}
		go(p, one);
	}
}

/* Is it the variable of the environment by which hence tells the program where to write its tape? */
static bool is_ours(const struct state_object *o)
{
	static const char name[] = "HENCE_SESSION=";

	return o->kind == OBJECT_GIVEN && o->size > sizeof(name) &&
	       !memcmp(o->bytes, name, sizeof(name) - 1);
}

void leaves_compare(struct state_diff *d, uint32_t pair)
{
	struct pass p = {.d = d, .pair = pair};
	const struct ctype *ta, *tb;

	if (d->pairs.at[pair].b == PAIR_ALONE)
		return;
	p.a = &d->a->objects.at[d->pairs.at[pair].a];
	p.b = &d->b->objects.at[d->pairs.at[pair].b];
	if (!p.a->bytes || !p.b->bytes || is_ours(p.a))
		return;
	ta = ctype_strip(p.a->type);
	tb = ctype_strip(p.b->type);
	if (!p.a->elements)
		go(&p, (struct spot){p.a->type, p.b->type, 0, 0});
	else if (are_alike(ta, tb))
		block(&p);
	else
		untyped(&p);
}
