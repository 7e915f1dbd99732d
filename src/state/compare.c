/*
 * Compares two states: see state.h. Pairs of objects that correspond are gone through side by side, down to
 * leaves: the smallest parts that are compared. A pointer in a leaf leads to the next pair.
 */
#include "state/compare.h"

#define PASS_STEPS 64u /* members and indices in one path */

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
	uint64_t text; /* as in struct state_leaf */
	struct step steps[PASS_STEPS];
	uint32_t depth;
};

/* The same part of two objects. */
struct spot {
	const struct ctype *ta, *tb;
	uint64_t a, b;
};

/* ------ leaves: scalars, bit-fields, pointers, texts ------ */

/* What is not known on both sides is no difference. */

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

/* Goes into a member, or an element when that is NULL; p->depth-- leaves it. False: too deep. */
static bool pass_push(struct pass *p, const char *member, uint64_t index)
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

/* Are the bytes the same, and none of them a pointer? */
static bool pass_is_same(const struct pass *p, uint64_t a, uint64_t b, uint64_t size)
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

static void compare_leaf(struct state_diff *d, const struct state_leaf *leaf);

static void note(struct pass *p, struct state_leaf *l)
{
	l->path = render(p);
	compare_leaf(p->d, l);
}

static bool pairs_lead(struct state_diff *d, const struct state_leaf *leaf,
                       const struct state_edge *a, const struct state_edge *b);

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

/* Each compares a part and notes when it differs. */
static void pass_pointer(struct pass *p, struct spot at)
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
static bool pass_holds_pointer(struct pass *p, struct spot at)
{
	const struct state_edge *x = state_edge_at(p->d->a, p->a, at.a);
	const struct state_edge *y = state_edge_at(p->d->b, p->b, at.b);

	if (x && y && x->guessed && y->guessed)
		return p->d->match_a[x->target] == y->target + 1 && x->offset == y->offset;
	return (x && !x->guessed) || (y && !y->guessed);
}

static void pass_scalar(struct pass *p, struct spot at, uint64_t size)
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

/* Does a byte differ, as far as it is known on both sides? */
static bool byte_differs(const struct pass *p, uint64_t a, uint64_t b)
{
	return p->a->bytes[a] != p->b->bytes[b] && !state_is_undefined(p->a, 8 * a, 8) &&
	       !state_is_undefined(p->b, 8 * b, 8);
}

/* Something that is compared as a whole. What is undefined on one side does not count. */
static void pass_blob(struct pass *p, struct spot at, uint64_t size)
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

/* The bytes after two texts that are the same: one difference, however many differ. */
static void compare_rest(struct pass *p, struct spot at, uint64_t size, uint64_t skip)
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
static bool pass_text(struct pass *p, struct spot at, uint64_t size_a, uint64_t size_b)
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
		if (size_a != size_b) /* the bytes after it are compared one by one */
			return is_empty(p->a, at.a + length_a, size_a - length_a) &&
			       is_empty(p->b, at.b + length_b, size_b - length_b);
		compare_rest(p, at, size_a, length_a + 1);
		return true;
	}
	l.shape = LEAF_TEXT;
	l.text = at.a + 1;
	l.size_b = size_b;
	note(p, &l);
	return true;
}

/* ------ two objects of the same type side by side ------ */

/* Parts whose bytes are the same and have no pointers are passed over. */

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
	if (m->bit_size) {
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
	} else
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
	case CTYPE_STRUCT:
		for (uint32_t i = 0; i < ta->member_count; i++) {
			const struct ctype_member *m = &ta->members[i];

			member(p, at, m, counterpart(tb, i, m));
		}
		break;
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

/* Compares a pair; what differs is appended to d->leaves. */
static void leaves_compare(struct state_diff *d, uint32_t pair)
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

/* ------ values that wait ------ */

/* A pointer to a block that may have to be moved is not the same: nobody can make it follow. */
static bool is_same(const struct state_diff *d, const struct state_waiting *x,
                    const struct state_waiting *y)
{
	if (!x->target || !y->target)
		return x->bits == y->bits;
	return d->match_a[x->target - 1] == y->target && x->offset == y->offset &&
	       d->a->objects.at[x->target - 1].size == d->b->objects.at[y->target - 1].size;
}

/* Tells of each value that waits in both states (indices), until `tell` says false. */
static void waiting_each(struct state_diff *d,
                         bool (*tell)(struct state_diff *d, uint32_t a, uint32_t b))
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < d->a->waiting.size; i++) {
		const struct state_waiting *x = &d->a->waiting.at[i], *y;

		if (x->frame > d->frames)
			return;
		/* Both lists are in the order of frames, and of instructions in them. */
		while (k < d->b->waiting.size && (d->b->waiting.at[k].frame < x->frame ||
		                                  (d->b->waiting.at[k].frame == x->frame &&
		                                   d->b->waiting.at[k].code < x->code)))
			k++;
		y = k < d->b->waiting.size ? &d->b->waiting.at[k] : NULL;
		if (y && y->frame == x->frame && y->code == x->code && !tell(d, i, k))
			return;
	}
}

static bool hide(struct state_diff *d, uint32_t a, uint32_t b)
{
	const struct state_waiting *x = &d->a->waiting.at[a];
	const char *function = d->a->frames.at[x->frame - 1].function;

	if (is_same(d, x, &d->b->waiting.at[b]))
		return true;
	d->hidden =
		x->call ? arena_printf(&d->arena, "what %s returned to %s() is in no variable yet",
	                               x->call, function)
			: arena_printf(&d->arena, "part of an expression in %s() is in no variable",
	                               function);
	return false;
}

const char *state_diff_hidden(struct state_diff *d)
{
	d->hidden = NULL;
	waiting_each(d, hide);
	return d->hidden;
}

/* ------ which objects correspond ------ */

/*
 * Variables correspond by name and frame, heap blocks by where they were allocated, the rest by corresponding
 * pointers. They are reached breadth first, from the variables of the function on top, then globals, then
 * callers: the first way to an object gives its name.
 */

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

/* Finds what corresponds by itself. */
static void pairs_match(struct state_diff *d)
{
	struct key_map keys = MAP_INIT;
	struct birth_map births = MAP_INIT;

	d->match_a = arena_new_array(&d->arena, uint32_t, d->a->objects.size + 1);
	d->match_b = arena_new_array(&d->arena, uint32_t, d->b->objects.size + 1);
	d->of_a = arena_new_array(&d->arena, uint32_t, d->a->objects.size + 1);
	d->frames = count_frames(d->a, d->b);
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

/* Two pointers correspond: what they lead to does as well, unless it is known to be something else.
   True: they are to the same place, or that is left for later. */
static bool pairs_lead(struct state_diff *d, const struct state_leaf *leaf,
                       const struct state_edge *a, const struct state_edge *b)
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

/* Walks through all pairs, beginning with variables. */
static void pairs_walk(struct state_diff *d)
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

/* ------ all that differs ------ */

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

/* Notes that a leaf differs. */
static void compare_leaf(struct state_diff *d, const struct state_leaf *leaf)
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

#define MOST_BEYOND (64u << 10) /* bytes after the end of one object */

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

/* Bytes in the object, and after its end. */
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
