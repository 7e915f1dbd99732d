/* Draws a state: names and values of boxes and cells. See picture.h. */
#include "state/picture_work.h"

#define LONGEST 120u /* characters of a text */

/* --- objects --- */

uint32_t drawing_pair(struct drawing *w, uint32_t object)
{
	struct state_pair *pair;

	if (w->self->of_a[object])
		return w->self->of_a[object] - 1;
	pair = vec_push(&w->self->pairs);
	pair->a = pair->b = object;
	return (w->self->of_a[object] = w->self->pairs.size) - 1;
}

static bool is_char(const struct ctype *type)
{
	type = ctype_strip(type);
	return type && type->kind == CTYPE_CHAR;
}

bool drawing_is_inline(const struct state_object *o)
{
	return !o->variable && o->elements && is_char(o->type) &&
	       (o->kind == OBJECT_GIVEN || o->kind == OBJECT_GLOBAL);
}

bool drawing_is_in_frame(const struct state_object *o)
{
	return o->frame && !o->elements && !o->dead && (o->variable || o->hint) &&
	       ctype_is_scalar(o->type);
}

uint64_t drawing_element(const struct state_object *o)
{
	const struct ctype *plain = o->elements ? ctype_strip(o->type) : NULL;

	return plain ? plain->size : 0;
}

int64_t drawing_first(struct drawing *w, uint32_t object)
{
	const struct state_pair *pair = &w->self->pairs.at[drawing_pair(w, object)];
	uint64_t size = drawing_element(&w->s->objects.at[object]);

	return size && !state_is_flexible(w->s->objects.at[object].type)
	               ? pair->offset / (int64_t)size
	               : 0;
}

bool drawing_is_single(struct drawing *w, uint32_t object)
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
	ctype_print_text(o->bytes + offset, length, LONGEST, &out);
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
