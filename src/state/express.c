/*
 * Names of differences: C expressions in the first run. A variable by its name, what a pointer leads to
 * by the pointer: p->next->val, a[2], *p. See compare.h.
 */

#include "state/compare.h"

#define MANY 8u /* times that the same member is written out: list->next->next... */

/* --- variables --- */

/* `main.`, and `fact@3.` when fact() is under way several times: see names.h. */
static void qualify(const struct state *s, const struct state_object *o, struct str *out)
{
	const char *function;
	uint32_t same = 0;

	if (!o->frame || o->frame == s->frames.size)
		return;
	function = s->frames.at[o->frame - 1].function;
	for (uint32_t i = 0; i < s->frames.size; i++)
		same += !strcmp(s->frames.at[i].function, function);
	str_add(out, function);
	if (same > 1)
		str_printf(out, "@%u", o->frame);
	str_add_char(out, '.');
}

/* A local of the function on top has the same name? */
static bool is_hidden(const struct state *s, const struct variable *v)
{
	const struct state_frame *top = s->frames.size ? &s->frames.at[s->frames.size - 1] : NULL;

	for (uint32_t i = 0; top && i < top->count; i++) {
		const struct variable *w = s->objects.at[top->first + i].variable;

		if (w && w != v && !strcmp(w->name, v->name))
			return true;
	}
	return false;
}

static void add_global(const struct state *s, const struct state_object *o, struct str *out)
{
	const struct variable *v = o->variable;
	const char *top = s->frames.size ? s->frames.at[s->frames.size - 1].function : "";

	if (v->scope && strcmp(v->scope->function_name, top))
		str_printf(out, "%s.", v->scope->function_name);
	else if (!v->scope && is_hidden(s, v))
		str_add(out, "::"); /* as gdb writes it */
	str_add(out, v->name);
}

char *express_variable(const struct state *s, const struct state_object *o)
{
	struct str out = STR_INIT;

	if (o->kind == OBJECT_GLOBAL && o->variable) {
		add_global(s, o, &out);
	} else if (o->variable) {
		qualify(s, o, &out);
		str_add(&out, o->variable->name);
		str_add(&out, o->hint ? o->hint : "");
	} else if (o->hint) {
		str_printf(&out, "%s of %s", o->hint, s->frames.at[o->frame - 1].function);
	} else if (o->kind == OBJECT_GIVEN) {
		str_add(&out, o->key);
	} else {
		return NULL;
	}
	return str_steal(&out);
}

/* --- what pointers lead to --- */

/* Appends a path to a pointer, or with an index to an element behind it: p->x is p[0].x. */
static void join(const char *pointer, bool single, int64_t index, const char *path, struct str *out)
{
	bool star = *pointer == '*';

	if (!single && (index || *path != '.'))
		str_printf(out, star ? "(%s)[%lld]%s" : "%s[%lld]%s", pointer, (long long)index,
		           path);
	else if (*path == '.')
		str_printf(out, star ? "(%s)->%s" : "%s->%s", pointer, path + 1);
	else
		str_printf(out, *path ? "(*%s)%s" : "*%s%s", pointer, path);
}

static char *name_leaf(struct state_diff *d, const struct state_leaf *leaf);

static uint64_t size_of(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type);

	return plain ? plain->size : 0;
}

/* Are they the same type to a programmer? Two modules have it twice. */
static bool is_same_type(const struct ctype *x, const struct ctype *y)
{
	x = ctype_strip(x);
	y = ctype_strip(y);
	if (x == y || !x || !y)
		return x == y;
	return x->kind == y->kind && x->size == y->size && x->name && y->name &&
	       !strcmp(x->name, y->name);
}

/* The type of the elements that an object consists of: of an array those, else its own. */
static const struct ctype *element_of(const struct state_object *o)
{
	const struct ctype *plain = ctype_strip(o->type);

	return !o->elements && plain && plain->kind == CTYPE_ARRAY ? plain->target : o->type;
}

/* The place as the pointer's type has it, when the object has another type. */
static bool by_pointer_type(const struct state_pair *pair, const struct state_object *o,
                            const struct state_leaf *leaf, const char *pointer, struct str *out)
{
	int64_t behind = (int64_t)leaf->at_a - pair->offset;
	uint64_t size = size_of(pair->pointee), inside;
	struct str path = STR_INIT;
	bool found;

	if (behind < 0 || !size || leaf->shape == LEAF_BYTES)
		return false;
	inside = (uint64_t)behind % size;
	found = leaf->bits ? ctype_part_bits(pair->pointee, 8 * inside + leaf->bit, leaf->bits,
	                                     NULL, &path)
	                   : ctype_part(pair->pointee, inside, leaf->size_a, CTYPE_SCALAR, NULL,
	                                &path);
	if (found)
		join(pointer, (uint64_t)behind < size && o->size - (uint64_t)pair->offset <= size,
		     behind / (int64_t)size, str_text(&path), out);
	str_deinit(&path);
	return found;
}

/* ((int *)p)[2] */
static void by_cast(const struct state_pair *pair, const struct state_object *o,
                    const struct state_leaf *leaf, const char *pointer, struct str *out)
{
	const struct ctype *type = o->elements && o->type ? o->type : leaf->type_a;
	uint64_t size = size_of(type);
	int64_t behind = (int64_t)(leaf->element ? 0 : leaf->at_a) - pair->offset;
	struct str name = STR_INIT, cast = STR_INIT;

	ctype_name(type, &name);
	if (size && behind % (int64_t)size == 0)
		str_printf(&cast, "((%s *)%s)", str_text(&name), pointer);
	else
		str_printf(&cast, "((%s *)((char *)%s%+lld))", str_text(&name), pointer,
		           (long long)behind);
	behind = size && behind % (int64_t)size == 0 ? behind / (int64_t)size : 0;
	join(str_text(&cast), leaf->element && size && o->size / size == 1 && !behind,
	     leaf->index + behind, leaf->path, out);
	str_deinit(&name);
	str_deinit(&cast);
}

/* The path of a leaf in an object that the pointer is right about: an index, and the rest. */
static void split(const struct state_pair *pair, const struct state_object *o,
                  const struct state_leaf *leaf, int64_t *index, const char **rest)
{
	uint64_t size = size_of(element_of(o));

	*index = leaf->index;
	*rest = leaf->path;
	if (!o->elements && *leaf->path == '[') {
		char *end;

		*index = strtoll(leaf->path + 1, &end, 10);
		*rest = *end ? end + 1 : end;
	}
	*index -= size ? pair->offset / (int64_t)size : 0;
}

static char *behind_pointer(struct state_diff *d, const struct state_leaf *leaf)
{
	const struct state_pair *pair = &d->pairs.at[leaf->pair];
	const struct state_object *o = &d->a->objects.at[pair->a];
	const char *pointer = express_pair(d, leaf->pair), *rest;
	uint64_t size = size_of(element_of(o));
	struct str out = STR_INIT;
	int64_t index;
	char *name;

	if (leaf->shape == LEAF_TEXT && (int64_t)leaf->at_a == pair->offset)
		return mem_strdup(pointer);
	if (is_same_type(pair->pointee, element_of(o)) && size &&
	    pair->offset % (int64_t)size == 0 && leaf->shape != LEAF_TEXT) {
		split(pair, o, leaf, &index, &rest);
		join(pointer, (o->size / size <= 1 || state_is_flexible(o->type)) && !index, index,
		     rest, &out);
		return str_steal(&out);
	}
	if (by_pointer_type(pair, o, leaf, pointer, &out))
		return str_steal(&out);
	name = express_variable(d->a, o);
	if (name) {
		str_printf(&out, "%s%s", name, leaf->path);
		free(name);
		return str_steal(&out);
	}
	by_cast(pair, o, leaf, pointer, &out);
	return str_steal(&out);
}

/* --- addresses --- */

/* The expression of a pointer to a place in the object of a pair: &p->next, a, &a[2]. Caller frees with
   free(). NULL: C has no such. */
static char *express_address(struct state_diff *d, uint32_t number, int64_t offset, uint64_t size)
{
	const struct state_pair *pair = &d->pairs.at[number];
	const struct state_object *o = &d->a->objects.at[pair->a];
	uint64_t element = size_of(o->type), at = (uint64_t)offset;
	struct state_leaf leaf = {.pair = number, .shape = LEAF_POINTER, .size_a = size};
	struct str path = STR_INIT;
	char *name = NULL, *out;

	if (offset == pair->offset && (pair->from || pair->waiting))
		return mem_strdup(express_pair(d, number));
	if (offset < 0)
		return NULL;
	leaf.at_a = at;
	if (o->elements && element && !state_is_flexible(o->type)) {
		leaf.index = (int64_t)(at / element);
		leaf.element = true;
		at %= element;
	}
	leaf.path = "";
	if (ctype_part(o->type, at, size, CTYPE_SCALAR, NULL, &path) || !at) {
		leaf.path = str_text(&path);
		name = name_leaf(d, &leaf);
	}
	str_deinit(&path);
	if (!name)
		return NULL;
	out = str_format("&%s", name);
	free(name);
	return out;
}

/* --- all --- */

static char *name_leaf(struct state_diff *d, const struct state_leaf *leaf)
{
	const struct state_pair *pair = &d->pairs.at[leaf->pair];

	if (pair->from || pair->waiting)
		return behind_pointer(d, leaf);
	return leaf->element ? str_format("%s[%lld]%s", express_pair(d, leaf->pair),
	                                  (long long)leaf->index, leaf->path)
	                     : str_format("%s%s", express_pair(d, leaf->pair), leaf->path);
}

static char *name_pair(struct state_diff *d, uint32_t number)
{
	const struct state_pair *pair = &d->pairs.at[number];
	const struct state_object *from;
	uint32_t start = number;
	struct state_leaf leaf;

	if (pair->waiting)
		return mem_strdup(pair->waiting);
	if (!pair->from)
		return express_variable(d->a, &d->a->objects.at[pair->a]);
	if (pair->repeats >= MANY) {
		uint32_t times = pair->repeats;

		for (uint32_t i = 0; i < pair->repeats; i++)
			start = d->pairs.at[start].from - 1;
		if (d->pairs.at[d->pairs.at[start].from - 1].from) {
			start = d->pairs.at[start].from - 1;
			times++;
		}
		return str_format("(%s, %u times ->%s)", express_pair(d, start), times,
		                  *pair->path == '.' ? pair->path + 1 : pair->path);
	}
	from = &d->a->objects.at[d->pairs.at[pair->from - 1].a];
	leaf = (struct state_leaf){.pair = pair->from - 1,
	                           .shape = LEAF_POINTER,
	                           .at_a = pair->at,
	                           .size_a = 8,
	                           .index = pair->index,
	                           .element = from->elements && from->type,
	                           .path = pair->path};
	return name_leaf(d, &leaf);
}

const char *express_pair(struct state_diff *d, uint32_t number)
{
	struct state_pair *pair = &d->pairs.at[number];

	if (!pair->expression) {
		char *name = name_pair(d, number);

		pair->expression = arena_strdup(&d->arena, name ? name : "?");
		free(name);
	}
	return pair->expression;
}

char *express_leaf(struct state_diff *d, const struct state_leaf *leaf)
{
	struct str out = STR_INIT;
	char *name = name_leaf(d, leaf), *bracket;

	/* The bytes after a text: from one to another. */
	if (leaf->shape != LEAF_BYTES || leaf->type_a || !(bracket = strrchr(name, '[')))
		return name;
	*bracket = '\0';
	str_printf(&out, "%s[%llu..%llu]", name, strtoull(bracket + 1, NULL, 10),
	           strtoull(bracket + 1, NULL, 10) + (unsigned long long)leaf->size_a - 1);
	free(name);
	return str_steal(&out);
}

/* ------ values as text: numbers as C prints them, pointers by what they point to ------ */

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
