/*
 * Takes a state: variables first, then what pointers in them lead to. The type of a heap block is what
 * it was allocated as; else what a pointer to it says, where pointers to char and void say the least.
 */
#include "state/capture.h"

#define NEAR 4096 /* bytes that a pointer may be outside of its object */

static const struct ctype char_type = {
	.kind = CTYPE_CHAR, .is_signed = true, .name = "char", .size = 1};
static const struct ctype text_type = {.kind = CTYPE_POINTER, .size = 8, .target = &char_type};

/* --- objects --- */

static void set_global(struct capture *c, struct state_object *to, const struct object *o)
{
	const struct program_module *module =
		&walk_program(execution_walk(c->e))->modules.at[o->owner];
	LLVMValueRef global = module->plan->globals.at[o->index];
	const struct variable *v = variables_of_global(names_variables(c->names, o->owner), global);
	struct arena *arena = &c->state->arena;

	to->module = o->owner;
	to->constant = LLVMIsGlobalConstant(global);
	to->variable = v;
	to->type = v ? v->type : NULL;
	/* Two versions of a program lie in different folders. */
	if (v)
		to->key = arena_printf(arena, "%s:%s:%s", v->file ? basename(v->file) : "",
		                       v->scope ? v->scope->function_name : "", v->name);
	else
		to->type = &char_type;
	to->elements = !v;
}

static void set_given(struct capture *c, struct state_object *to, const struct object *o)
{
	const char *list = o->owner ? "environ" : "argv";

	to->elements = true;
	to->type = o->index == OBJECT_ARRAY ? &text_type : &char_type;
	to->key = arena_printf(&c->state->arena, o->index == OBJECT_ARRAY ? "%s" : "%s[%u]", list,
	                       o->index);
}

static void set_birth(struct capture *c, struct state_object *to, const struct object *o)
{
	to->birth = statements_of(c->statements, o->birth);
	to->ordinal = to->birth ? (*object_index_put(&c->births, to->birth))++ : 0;
}

/* The type of a heap block as it was allocated; NULL: not known. */
static const struct ctype *allocated_as(struct capture *c, uint32_t number)
{
	const struct ctype *const *noted = birth_types_find(c->types, number);
	const struct execution *whole = c->statements->whole;

	if (noted || !whole)
		return noted ? *noted : NULL;
	return *birth_types_put(c->types, number) = birth_type_of(
		       c->names, whole, objects_at(execution_objects(c->e), number)->birth);
}

static void set_heap(struct capture *c, struct state_object *to, uint32_t number,
                     const struct object *o)
{
	to->elements = true;
	to->type = allocated_as(c, number);
	set_birth(c, to, o);
}

/* A local that has no name, or is not in scope, but a pointer leads to it. */
static void set_local(struct capture *c, struct state_object *to, const struct object *o)
{
	const struct activation *a;
	uint32_t count = execution_depth(c->e);

	for (uint32_t depth = 0; (a = execution_top(c->e, depth)); depth++) {
		const struct variable *v;
		LLVMValueRef storage;

		if (a->frame != o->owner)
			continue;
		to->frame = count - depth;
		if (o->kind == OBJECT_DYNAMIC) {
			to->elements = true;
			set_birth(c, to, o);
		} else {
			to->key = arena_printf(&c->state->arena, "#%u.%u", o->kind, o->index);
		}
		if (o->kind != OBJECT_LOCAL)
			return;
		storage = a->function->plan->locals.at[o->index].alloca_;
		v = variables_of_alloca(names_variables(c->names, a->function->place.module),
		                        storage);
		to->type = v && !v->also ? v->type : NULL;
		return;
	}
}

struct state_object *capture_add(struct capture *c, uint32_t number, uint64_t address,
                                 uint64_t size, uint8_t kind)
{
	uint32_t *known = number ? object_index_put(&c->known, number) : NULL;
	const struct object *o = number ? objects_at(execution_objects(c->e), number) : NULL;
	struct state_object *to;

	if (known && *known)
		return &c->state->objects.at[*known - 1];
	to = vec_push(&c->state->objects);
	*to = (struct state_object){
		.kind = kind, .address = address, .size = size, .number = number};
	if (known)
		*known = c->state->objects.size;
	if (kind == OBJECT_GLOBAL)
		set_global(c, to, o);
	else if (kind == OBJECT_GIVEN)
		set_given(c, to, o);
	else if (kind == OBJECT_HEAP)
		set_heap(c, to, number, o);
	else if (o)
		set_local(c, to, o);
	to->dead = o && o->death;
	return to;
}

/* --- bytes --- */

static void add_runs(struct capture *c, const uint32_t *sources, uint64_t at, uint32_t size,
                     uint32_t *last)
{
	for (uint32_t k = 0; k < size; k++) {
		struct state_run *run;

		if (sources[k] == *last)
			continue;
		*last = sources[k];
		run = vec_push(&c->state->runs);
		run->at = at + k;
		run->statement = statements_of(c->statements, *last);
		run->bits = (uint8_t)statements_what(c->statements, run->statement);
	}
}

static void set_undefined(struct capture *c, struct state_object *o, uint64_t at,
                          const uint8_t *from, uint64_t size)
{
	uint64_t k = 0;

	while (from && !o->undefined && k < size && !from[k])
		k++;
	if (k == size)
		return;
	if (!o->undefined)
		o->undefined = arena_alloc(&c->state->arena, o->size);
	if (from)
		memcpy(o->undefined + at, from, size);
	else
		memset(o->undefined + at, 0xff, size);
}

/* A part of the object on a page that the decoder has not touched. */
static void copy_untouched(struct capture *c, struct state_object *o, const struct object *from,
                           uint64_t at, uint64_t size, uint32_t *last)
{
	if (o->kind == OBJECT_HEAP && !from->zeroed)
		set_undefined(c, o, at, NULL, size);
	add_runs(c, (const uint32_t[]){o->kind == OBJECT_HEAP ? from->birth : SOURCE_INITIAL}, at,
	         1, last);
}

static void copy_part(struct capture *c, struct state_object *o, const struct memory_page *page,
                      uint32_t from, uint64_t at, uint32_t size, uint32_t *last)
{
	const uint32_t *sources = &page->source[from];

	memcpy(o->bytes + at, &page->bytes[from], size);
	set_undefined(c, o, at, &page->undefined[from], size);
	for (uint32_t k = 0; k < size; k++)
		if (!sources[k]) {
			set_undefined(c, o, at + k, NULL, 1);
		}
	add_runs(c, sources, at, size, last);
}

static void copy_bytes(struct capture *c, struct state_object *o)
{
	struct memory *memory = execution_memory(c->e);
	const struct object *from =
		o->number ? objects_at(execution_objects(c->e), o->number) : NULL;
	uint32_t last = UINT32_MAX;

	o->bytes = arena_alloc(&c->state->arena, o->size + 1);
	for (uint64_t at = 0; at < o->size;) {
		uint64_t address = o->address + at;
		uint32_t in = address % MEMORY_PAGE;
		uint64_t left = o->size - at;
		uint32_t size = left < MEMORY_PAGE - in ? (uint32_t)left : MEMORY_PAGE - in;

		if ((o->kind == OBJECT_HEAP || o->kind == OBJECT_GLOBAL) &&
		    !memory_has_page(memory, address - in))
			copy_untouched(c, o, from, at, size, &last);
		else
			copy_part(c, o, memory_page(memory, address), in, at, size, &last);
		at += size;
	}
}

/* --- pointers --- */

/* Does only the way to it tell what is in it? */
static bool is_block(const struct state_object *o)
{
	return o->kind == OBJECT_HEAP || (o->kind == OBJECT_DYNAMIC && !o->variable);
}

/* The object that a word with this value points into; 0: none. */
static uint32_t find_target(struct capture *c, uint64_t value, uint32_t made)
{
	struct objects *objects = execution_objects(c->e);
	const struct object *o;

	if (value < 65536 || value >> 47)
		return 0;
	if (made && made <= objects->all.size) {
		o = objects_at(objects, made);
		if (value >= o->address && value <= o->address + o->size)
			return made;
		if (o->kind == OBJECT_HEAP && !o->death && value + NEAR >= o->address &&
		    value <= o->address + o->size + NEAR)
			return made;
	}
	return value >> 32 ? execution_object_at(c->e, value) : 0;
}

/* Is this type worth more than the one that the block has? */
static bool tells_more(const struct state_object *o, const struct ctype *type, int64_t offset)
{
	const struct ctype *plain = ctype_strip(type), *old = ctype_strip(o->type);

	if (!plain || !plain->size || plain->kind == CTYPE_VOID || plain->kind == CTYPE_FUNCTION ||
	    plain->kind == CTYPE_UNKNOWN || offset % (int64_t)plain->size)
		return false;
	if (!old)
		return true;
	if (old->kind == CTYPE_CHAR)
		return plain->kind != CTYPE_CHAR;
	return !offset && ctype_is_scalar(old) && !ctype_is_scalar(plain) &&
	       plain->size > old->size;
}

/* The type of what the pointer at a byte of an object points to; NULL: not known. */
static const struct ctype *pointer_target(const struct state_object *o, uint64_t at)
{
	const struct ctype *plain = ctype_strip(o->type);
	struct ctype_part part;

	if (o->elements && plain && plain->size && !state_is_flexible(plain))
		at %= plain->size;
	if (!ctype_part(o->type, at, 8, CTYPE_SCALAR, &part, NULL))
		return NULL;
	plain = ctype_strip(part.type);
	return plain && plain->kind == CTYPE_POINTER ? plain->target : NULL;
}

static void retype(struct capture *c, struct state_object *o, const struct ctype *type)
{
	uint32_t index = (uint32_t)(o - c->state->objects.at);

	o->type = type;
	if (!o->taken && index < c->certain)
		c->certain = index;
}

uint32_t capture_target(struct capture *c, uint64_t value, uint32_t made, int64_t *offset)
{
	uint32_t number = find_target(c, value, made);
	const struct object *o = number ? objects_at(execution_objects(c->e), number) : NULL;

	if (!o)
		return 0;
	*offset = (int64_t)(value - o->address);
	return 1 + (uint32_t)(capture_add(c, number, o->address, o->size, o->kind) -
	                      c->state->objects.at);
}

static void add_edge(struct capture *c, uint32_t index, uint64_t at, uint64_t value, uint32_t made)
{
	struct state *s = c->state;
	int64_t offset;
	uint32_t number = capture_target(c, value, made, &offset);
	const struct ctype *type;
	struct state_object *target;
	struct state_edge *edge;

	if (!number)
		return;
	edge = vec_push(&s->edges);
	edge->at = at;
	edge->target = number - 1;
	edge->offset = offset;
	edge->guessed = !made;
	target = &s->objects.at[edge->target];
	type = pointer_target(&s->objects.at[index], at);
	if (is_block(target) && !allocated_as(c, target->number) &&
	    tells_more(target, type, offset))
		retype(c, target, type);
}

static void capture_edges(struct capture *c, uint32_t index)
{
	struct memory *memory = execution_memory(c->e);
	uint64_t address = c->state->objects.at[index].address;
	uint64_t end = address + c->state->objects.at[index].size, at = (address + 7) & ~7ull;
	uint32_t first = c->state->edges.size;

	for (; at + 8 <= end; at += 8) {
		const struct state_object *o = &c->state->objects.at[index];
		uint64_t value;

		memcpy(&value, o->bytes + (at - address), 8);
		if (value < 65536 || value >> 47 || state_is_undefined(o, 8 * (at - address), 64))
			continue;
		add_edge(c, index, at - address, value,
		         memory_page(memory, at)->object[at % MEMORY_PAGE / 8]);
	}
	c->state->objects.at[index].first_edge = first;
	c->state->objects.at[index].edge_count = c->state->edges.size - first;
}

/* --- all --- */

/* What the compiler made, as literals: the same when it has the same bytes. */
static const char *literal_key(struct capture *c, const struct state_object *o)
{
	uint64_t hash = o->size;

	for (uint64_t i = 0; i < o->size; i++)
		hash = map_hash_u64(hash ^ o->bytes[i]);
	return arena_printf(&c->state->arena, "\"%llx", (unsigned long long)hash);
}

/* Takes the bytes of an object and finds what they point to. */
static void take(struct capture *c, uint32_t index)
{
	struct state *s = c->state;
	struct state_object *o = &s->objects.at[index];
	uint64_t cost = 2 * o->size + sizeof(*o);

	if (o->taken || o->dead) {
		o->taken = true;
		return;
	}
	o->taken = true;
	if (s->bytes + cost > s->most) {
		free(s->partial);
		s->partial = str_format("objects beyond %llu MB are left out",
		                        (unsigned long long)(s->most >> 20));
		o->dead = o->omitted = true;
		return;
	}
	o->first_run = s->runs.size;
	copy_bytes(c, o);
	o->run_count = s->runs.size - o->first_run;
	if (!o->variable && o->kind == OBJECT_GLOBAL)
		o->key = literal_key(c, o);
	capture_edges(c, index);
	o = &s->objects.at[index];
	s->bytes += cost + o->run_count * sizeof(struct state_run) +
	            o->edge_count * sizeof(struct state_edge);
}

/* Objects whose type is known come first: they tell the types of others. */
static bool is_certain(const struct state_object *o)
{
	const struct ctype *plain = ctype_strip(o->type);

	return !is_block(o) || (plain && plain->kind != CTYPE_CHAR);
}

static void take_all(struct capture *c)
{
	struct state *s = c->state;
	uint32_t others = 0;

	while (others < s->objects.size) {
		for (; c->certain < s->objects.size; c->certain++)
			if (is_certain(&s->objects.at[c->certain]))
				take(c, c->certain);
		while (others < s->objects.size && s->objects.at[others].taken)
			others++;
		if (others < s->objects.size)
			take(c, others);
	}
}

struct state *state_capture(struct state_world *world, struct execution *e,
                            const struct statements *statements, struct birth_types *types,
                            uint64_t time, uint64_t most)
{
	struct state *s = mem_alloc(sizeof(*s));
	struct capture c = {.state = s,
	                    .e = e,
	                    .names = world->names,
	                    .statements = statements,
	                    .types = types};

	s->world = world;
	world->users++;
	s->time = time;
	s->most = most;
	capture_roots(&c);
	take_all(&c);
	object_index_deinit(&c.known);
	object_index_deinit(&c.births);
	return s;
}
