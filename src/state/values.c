/* Values of differences as text: numbers as C prints them, pointers by what they point to. */
#include "state/compare.h"

#define LONGEST 400u /* characters of a text; printers for people make it shorter */
#define MEMBERS 160u /* characters of a structure */

struct printer {
	struct state_diff *d;
	bool second;
	const struct state *s;
	const struct state_leaf *leaf;
};

static void add_pointer(const struct printer *p, const struct ctype *type, uint64_t word,
                        const struct state_edge *edge, bool deep, struct str *out);

/* --- structures --- */

static void add_part(const struct printer *p, const struct state_object *o,
                     const struct ctype *type, uint64_t at, size_t limit, struct str *out);

static void add_member(const struct printer *p, const struct state_object *o,
                       const struct ctype_member *m, uint64_t at, size_t limit, struct str *out)
{
	struct ctype_part part = {.type = m->type, .bit_size = m->bit_size};

	if (m->name)
		str_printf(out, "%s = ", m->name);
	if (!m->bit_size) {
		add_part(p, o, m->type, at + m->bit_offset / 8, limit, out);
		return;
	}
	part.bit_offset = m->bit_offset % 8;
	at += m->bit_offset / 8;
	ctype_print_part(&part, o->bytes + at, o->undefined ? o->undefined + at : NULL,
	                 o->size - at, limit, out);
}

static void add_members(const struct printer *p, const struct state_object *o,
                        const struct ctype *type, uint64_t at, size_t limit, struct str *out)
{
	size_t start = out->length;

	str_add_char(out, '{');
	for (uint32_t i = 0; i < type->member_count; i++) {
		if (i)
			str_add(out, ", ");
		if (out->length - start > limit) {
			str_add(out, "...");
			break;
		}
		add_member(p, o, &type->members[i], at, limit / 2, out);
	}
	str_add_char(out, '}');
}

/* A part of an object of any type. */
static void add_part(const struct printer *p, const struct state_object *o,
                     const struct ctype *type, uint64_t at, size_t limit, struct str *out)
{
	const struct ctype *plain = ctype_strip(type);
	const struct ctype_member *m;
	uint64_t word;

	if (!plain || at + plain->size > o->size || !o->bytes) {
		str_add_char(out, '?');
	} else if (plain->kind == CTYPE_STRUCT) {
		add_members(p, o, plain, at, limit, out);
	} else if (plain->kind == CTYPE_UNION) {
		m = state_union_member(p->s, o, plain, at);
		str_add_char(out, '{');
		if (m)
			add_member(p, o, m, at, limit, out);
		str_add_char(out, '}');
	} else if (plain->kind == CTYPE_POINTER && !state_is_undefined(o, 8 * at, 64)) {
		memcpy(&word, o->bytes + at, 8);
		add_pointer(p, type, word, state_edge_at(p->s, o, at), false, out);
	} else {
		ctype_print(type, o->bytes + at, o->undefined ? o->undefined + at : NULL,
		            plain->size, limit, out);
	}
}

/* --- pointers --- */

/* The pair that an object is in; 0: none, or its name is only that of the pointer that is printed. */
static uint32_t pair_of(const struct printer *p, uint32_t object)
{
	uint32_t a = p->second ? p->d->match_b[object] : object + 1;
	uint32_t number = a ? p->d->of_a[a - 1] : 0;
	const struct state_pair *pair = number ? &p->d->pairs.at[number - 1] : NULL;

	if (!pair || pair->b == PAIR_ALONE ||
	    (pair->from == p->leaf->pair + 1 && pair->at == p->leaf->at_a))
		return 0;
	return number;
}

/* &x, &a[2], &s.x of a variable. */
static bool add_variable(const struct printer *p, const struct state_edge *edge, uint64_t size,
                         struct str *out)
{
	const struct state_object *o = &p->s->objects.at[edge->target];
	char *name = express_variable(p->s, o);
	struct str path = STR_INIT;

	if (!name)
		return false;
	if (ctype_part(o->type, (uint64_t)edge->offset, size, CTYPE_SCALAR, NULL, &path))
		str_printf(out, "&%s%s", name, str_text(&path));
	else
		str_printf(out, edge->offset ? "&%s + %lld bytes" : "&%s", name,
		           (long long)edge->offset);
	str_deinit(&path);
	free(name);
	return true;
}

/* An object that has a name: a variable, or what another pointer leads to. */
static bool add_named(const struct printer *p, const struct state_edge *edge,
                      const struct ctype *pointee, struct str *out)
{
	const struct state_object *o = &p->s->objects.at[edge->target];
	uint32_t pair = pair_of(p, edge->target);
	uint64_t size = ctype_strip(pointee) ? ctype_strip(pointee)->size : 0;
	char *name;

	if (!o->elements)
		return add_variable(p, edge, size, out);
	name = pair ? express_address(p->d, pair - 1, edge->offset, size) : NULL;
	if (!name)
		return false;
	str_add(out, name);
	free(name);
	return true;
}

static bool is_aggregate(const struct ctype *plain)
{
	return plain->kind == CTYPE_STRUCT || plain->kind == CTYPE_UNION ||
	       plain->kind == CTYPE_ARRAY;
}

/* What a pointer to nothing that has a name leads to: `&{x = 1, y = 2}`, 'a pointer to 7'. */
static void add_content(const struct printer *p, const struct state_edge *edge,
                        const struct ctype *pointee, bool deep, struct str *out)
{
	const struct state_object *o = &p->s->objects.at[edge->target];
	const struct ctype *type = o->type ? o->type : pointee, *plain = ctype_strip(type);

	if (o->dead) {
		str_add(out, "a freed block");
	} else if (!deep) {
		str_add(out, "{...}");
	} else if (!plain || !plain->size || edge->offset < 0) {
		str_printf(out, "a block of %llu bytes", (unsigned long long)o->size);
	} else {
		uint64_t inside = (uint64_t)edge->offset % plain->size;

		str_add(out, inside ? "a place in " : is_aggregate(plain) ? "&" : "a pointer to ");
		add_part(p, o, type, (uint64_t)edge->offset - inside, MEMBERS, out);
	}
}

/* Is it the place, not the text, that differs: in a variable, or in the same text of both runs? */
static bool is_place(const struct printer *p, const struct state_edge *edge)
{
	const struct state_edge *a = leaf_edge(p->d, p->leaf, false);
	const struct state_edge *b = leaf_edge(p->d, p->leaf, true);

	if (p->s->objects.at[edge->target].variable)
		return true;
	return p->leaf->shape == LEAF_POINTER && a && b &&
	       p->d->match_a[a->target] == b->target + 1;
}

static bool add_text(const struct state_object *o, int64_t offset, struct str *out)
{
	uint64_t length;

	if (offset < 0 || (uint64_t)offset >= o->size || o->dead ||
	    !state_text(o, (uint64_t)offset, o->size - (uint64_t)offset, &length))
		return false;
	ctype_print_text(o->bytes + offset, length, LONGEST, out);
	return true;
}

/* `deep`: what it leads to is shown as well. */
static void add_pointer(const struct printer *p, const struct ctype *type, uint64_t word,
                        const struct state_edge *edge, bool deep, struct str *out)
{
	const struct ctype *plain = ctype_strip(type);
	const struct ctype *pointee = plain && plain->kind == CTYPE_POINTER ? plain->target : NULL;
	const struct ctype *target = ctype_strip(pointee);
	const char *const *function = function_names_find(&p->s->world->functions, word);

	if (!word)
		str_add(out, "NULL");
	else if (function)
		str_add(out, *function);
	else if (!edge)
		str_printf(out, "%#llx", (unsigned long long)word);
	else if (target && target->kind == CTYPE_CHAR && is_place(p, edge) &&
	         add_named(p, edge, pointee, out))
		return;
	else if (target && target->kind == CTYPE_CHAR &&
	         add_text(&p->s->objects.at[edge->target], edge->offset, out))
		return;
	else if (!add_named(p, edge, pointee, out))
		add_content(p, edge, pointee, deep, out);
}

/* --- all --- */

static void add_scalar(const struct printer *p, const struct state_object *o, uint64_t at,
                       struct str *out)
{
	const struct state_leaf *l = p->leaf;
	struct ctype_part part = {.type = p->second ? l->type_b : l->type_a,
	                          .bit_offset = l->bit,
	                          .bit_size = l->bits};
	const struct ctype *plain = ctype_strip(part.type);
	uint8_t bytes[32] = {0};
	size_t size = l->bits ? l->size_a : plain->size;

	memcpy(bytes, state_bytes(o, at, l->size_a), l->size_a);
	ctype_print_part(&part, bytes, NULL, size < sizeof(bytes) ? size : sizeof(bytes), 0, out);
}

static void add_bytes(const struct printer *p, const struct state_object *o, uint64_t at,
                      struct str *out)
{
	const struct ctype *type = p->second ? p->leaf->type_b : p->leaf->type_a;

	if (type)
		add_part(p, o, type, at, MEMBERS, out);
	else
		ctype_print_text(o->bytes + at, p->leaf->size_a, LONGEST, out);
}

char *value_of_leaf(struct state_diff *d, const struct state_leaf *leaf, bool second)
{
	struct printer p = {d, second, second ? d->b : d->a, leaf};
	const struct state_object *o = leaf_object(d, leaf, second);
	uint64_t at = second ? leaf->at_b : leaf->at_a;
	struct str out = STR_INIT;

	if (!leaf_is_known(d, leaf, second))
		str_add(&out, state_bytes(o, at, second ? leaf->size_b : leaf->size_a)
		                      ? "uninitialised"
		                      : "not known");
	else if (leaf->shape == LEAF_POINTER)
		add_pointer(&p, second ? leaf->type_b : leaf->type_a, leaf_word(d, leaf, second),
		            leaf_edge(d, leaf, second), true, &out);
	else if (leaf->shape == LEAF_TEXT)
		add_text(o, (int64_t)at, &out);
	else if (leaf->shape == LEAF_BYTES)
		add_bytes(&p, o, at, &out);
	else
		add_scalar(&p, o, at, &out);
	return str_steal(&out);
}
