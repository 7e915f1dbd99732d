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

/* --- behind pointers --- */

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

char *express_address(struct state_diff *d, uint32_t number, int64_t offset, uint64_t size)
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

	/* What is behind a text: from one byte to another. */
	if (leaf->shape != LEAF_BYTES || leaf->type_a || !(bracket = strrchr(name, '[')))
		return name;
	*bracket = '\0';
	str_printf(&out, "%s[%llu..%llu]", name, strtoull(bracket + 1, NULL, 10),
	           strtoull(bracket + 1, NULL, 10) + (unsigned long long)leaf->size_a - 1);
	free(name);
	return str_steal(&out);
}
