/*
 * Takes states of a run (see state.h): the run is decoded once, and where a state is wanted its variables are
 * taken first, then what pointers in them lead to.
 */

#include <stdio.h>

#include "state/graph.h"

/* Numbers of statements by those of instances, and what they stored. */
struct statements {
	const struct recording *
		run; /* whose history says all, and no more is noted here; NULL: what is noted says it */
	const struct execution *whole; /* its */
	uint64_t *begins;              /* a bit for each instance: a statement begins with it */
	uint32_t *ranks;               /* bits that are set before each block of RANK words */
	uint64_t words;                /* room */
	uint64_t done;                 /* words whose ranks are known */
	uint64_t count;
	uint8_t *stored; /* 2 bits for each statement */
	uint64_t stored_room;
};

MAP_DEFINE_U64(birth_types, const struct ctype *);
MAP_DEFINE_U64(object_index, uint32_t);

struct capture {
	struct state *state;
	struct execution *e;
	struct names *names;
	const struct statements *statements;
	struct birth_types *types;
	struct object_index known;  /* by number of the decoder's objects: 1 + index here */
	struct object_index births; /* by statement: how many blocks */
	uint32_t certain;           /* all objects before it whose types are known are taken */
	uint32_t frame;             /* that is being taken, as in struct state_object */
};

/* ------ which statement an instance belongs to: a bit for each instance, counted in blocks ------ */

#define RANK 8u /* words in a block */

/* As mem_resize(), and the new part is zero. */
static void *grow(void *old, uint64_t size, uint64_t more)
{
	char *p = mem_resize(old, more);

	memset(p + size, 0, more - size);
	return p;
}

static void statements_begin(struct statements *s, uint32_t instance)
{
	uint64_t word = instance / 64, more;

	if (word >= s->words) {
		more = (word + word / 2 + 1024) / RANK * RANK;
		s->begins = grow(s->begins, s->words * 8, more * 8);
		s->ranks = grow(s->ranks, s->words / RANK * 4, more / RANK * 4);
		s->words = more;
	}
	s->begins[word] |= 1ull << instance % 64;
	s->count++;
}

static void statements_stored(struct statements *s, uint64_t statement, enum state_stored what)
{
	uint64_t at = statement / 4, more;

	if (at >= s->stored_room) {
		more = at + at / 2 + 4096;
		s->stored = grow(s->stored, s->stored_room, more);
		s->stored_room = more;
	}
	s->stored[at] |= (uint8_t)(what << statement % 4 * 2);
}

static enum state_stored statements_kind(LLVMValueRef store)
{
	switch (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(store, 0)))) {
	case LLVMIntegerTypeKind: return STORED_INTEGER;
	case LLVMPointerTypeKind: return STORED_POINTER;
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind: return STORED_REAL;
	default: return STORED_OTHER;
	}
}

static enum state_stored statements_what(const struct statements *s, uint64_t statement)
{
	if (s->run) {
		uint32_t end = statement ? history_end(s->run, statement) : 0;
		const struct code_insn *insn = end ? execution_insn(s->whole, end) : NULL;

		return insn && (insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE)
		               ? statements_kind(execution_instruction(s->whole, end))
		               : STORED_OTHER;
	}
	if (!statement || statement / 4 >= s->stored_room)
		return STORED_OTHER;
	return s->stored[statement / 4] >> statement % 4 * 2 & 3;
}

/* Counts once more from the last block on that may have been changed. */
static void statements_rank(struct statements *s)
{
	uint64_t block = s->done / RANK;
	uint32_t count = block ? s->ranks[block] : 0;

	for (; (block + 1) * RANK <= s->words; block++) {
		s->ranks[block] = count;
		for (uint64_t w = block * RANK; w < (block + 1) * RANK; w++) {
			count += (uint32_t)__builtin_popcountll(s->begins[w]);
			if (s->begins[w])
				s->done = block * RANK;
		}
	}
}

/* Of an instance; 0: it is none. */
static uint64_t statements_of(const struct statements *s, uint32_t instance)
{
	uint64_t word = instance / 64, count;

	if (s->run)
		return history_statement(s->run, instance);
	if (instance < EXECUTION_FIRST || instance >= EXECUTION_GROUP)
		return 0;
	if (word >= s->words)
		return s->count;
	count = s->ranks[word / RANK];
	for (uint64_t w = word / RANK * RANK; w < word; w++)
		count += (uint64_t)__builtin_popcountll(s->begins[w]);
	return count + (uint64_t)__builtin_popcountll(s->begins[word] &
	                                              (UINT64_MAX >> (63 - instance % 64)));
}

/* ------ what a heap block was allocated as ------ */

/*
 * `struct node *n = malloc(...)`: the call's result is stored somewhere whose type is known, or returned to a
 * caller that does so (xmalloc()). Only the code is looked at: what is computed after the call has no value yet.
 */

#define DEEPEST 16u /* loads and steps */
#define CALLERS 6u  /* that a block is handed to */

struct finder {
	struct names *names;
	uint32_t module;
	const struct plan *plan;
};

static const struct ctype *pointee(const struct finder *f, LLVMValueRef pointer, unsigned depth);

/* The type of a part with so many bytes. */
static const struct ctype *stored_part(const struct ctype *type, uint64_t offset, uint64_t size)
{
	struct ctype_part part;

	return ctype_part(type, offset, size, CTYPE_WHOLE, &part, NULL) ? part.type : NULL;
}

static const struct ctype *after_gep(const struct finder *f, LLVMValueRef gep, unsigned depth)
{
	const struct ctype *type = pointee(f, LLVMGetOperand(gep, 0), depth + 1);
	LLVMTypeRef at = LLVMGetGEPSourceElementType(gep);
	int count = LLVMGetNumOperands(gep);

	for (int i = 2; type && i < count; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		if (LLVMGetTypeKind(at) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
			uint64_t offset = LLVMOffsetOfElement(f->plan->layout, at, field);

			at = LLVMStructGetTypeAtIndex(at, field);
			type = stored_part(type, offset, LLVMABISizeOfType(f->plan->layout, at));
		} else {
			at = LLVMGetElementType(at);
			type = ctype_strip(type);
			type = type && type->kind == CTYPE_ARRAY ? type->target : NULL;
		}
	}
	return type;
}

/* The type of what a pointer points to, from the code alone. */
static const struct ctype *pointee(const struct finder *f, LLVMValueRef pointer, unsigned depth)
{
	const struct variables *variables = names_variables(f->names, f->module);
	const struct variable *variable = variables_of_alloca(variables, pointer);
	const struct ctype *type;

	if (variable)
		return variable->indirect || variable->also ? NULL : variable->type;
	if (depth > DEEPEST)
		return NULL;
	if (LLVMIsALoadInst(pointer)) {
		type = ctype_strip(pointee(f, LLVMGetOperand(pointer, 0), depth + 1));
		return type && type->kind == CTYPE_POINTER ? type->target : NULL;
	}
	return LLVMIsAGetElementPtrInst(pointer) ? after_gep(f, pointer, depth) : NULL;
}

/* What a pointer of this type points to; NULL: it may be anything. */
static const struct ctype *pointed_type(const struct ctype *pointer)
{
	const struct ctype *plain = ctype_strip(pointer), *target;

	if (!plain || plain->kind != CTYPE_POINTER)
		return NULL;
	target = ctype_strip(plain->target);
	return target && target->size && target->kind != CTYPE_VOID && target->kind != CTYPE_UNKNOWN
	               ? plain->target
	               : NULL;
}

/* What the result of a call is kept as a pointer to. */
static const struct ctype *kept_as(const struct finder *f, LLVMValueRef call)
{
	for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		const struct ctype *type = NULL;

		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call)
			type = pointed_type(pointee(f, LLVMGetOperand(user, 1), 0));
		if (type)
			return type;
	}
	return NULL;
}

/* A function under way keeps the result of a call, which it stands at. False: neither does it, nor can its caller. */
static bool find_kept(struct names *names, const struct code_function *function, LLVMValueRef call,
                      const struct ctype **out)
{
	const struct program *program = walk_program(execution_walk(names_execution(names)));
	struct finder f = {names, function->place.module, NULL};
	LLVMTypeRef type = LLVMGlobalGetValueType(function->plan->function);

	f.plan = program->modules.at[f.module].plan;
	*out = LLVMIsACallInst(call) ? kept_as(&f, call) : NULL;
	/* Chars may be anything, but are not what a function that keeps them returns. */
	if (*out)
		*out = ctype_strip(*out)->kind == CTYPE_CHAR ? NULL : *out;
	else
		return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMPointerTypeKind;
	return false;
}

/* The type of what a call that allocates was stored as a pointer to: of the function on top, or of
   those that it returns it to. NULL: not known, or void or char. */
static const struct ctype *birth_type(struct names *names)
{
	struct execution *e = names_execution(names);
	const struct ctype *type = NULL;
	const struct activation *a;

	for (uint32_t depth = 0; depth < CALLERS && (a = execution_top(e, depth)) && a->pc; depth++)
		if (!find_kept(names, a->function, a->function->instructions[a->pc - 1], &type) ||
		    a->entered)
			break;
	return type;
}

/* The same for a block that was allocated by this call of the whole run. */
static const struct ctype *birth_type_of(struct names *names, const struct execution *whole,
                                         uint32_t call)
{
	const struct ctype *type = NULL;
	uint32_t count;
	const struct execution_frame *frames = execution_frames(whole, &count);

	for (uint32_t depth = 0; depth < CALLERS && call >= EXECUTION_FIRST; depth++) {
		const struct execution_frame *frame =
			&frames[execution_segment(whole, call)->frame];
		const struct code_function *function =
			code_of(execution_code_table((struct execution *)whole),
		                execution_code(whole, call));

		if (!find_kept(names, function, execution_instruction(whole, call), &type))
			break;
		call = frame->call;
	}
	return type;
}

/* ------ objects ------ */

/* The type of a heap block is what it was allocated as; else what a pointer to it says, where pointers to
   char and void say the least. */

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

/* Adds an object whose bytes will be copied; `number` is the decoder's, 0: none. */
static struct state_object *capture_add(struct capture *c, uint32_t number, uint64_t address,
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
	else if (kind == OBJECT_GIVEN) {
		const char *list = o->owner ? "environ" : "argv";

		to->elements = true;
		to->type = o->index == OBJECT_ARRAY ? &text_type : &char_type;
		to->key = arena_printf(&c->state->arena, o->index == OBJECT_ARRAY ? "%s" : "%s[%u]",
		                       list, o->index);
	} else if (kind == OBJECT_HEAP) {
		to->elements = true;
		to->type = allocated_as(c, number);
		set_birth(c, to, o);
	} else if (o)
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
		    !memory_has_page(memory, address - in)) {
			/* A part of the object on a page that the decoder has not touched. */
			if (o->kind == OBJECT_HEAP && !from->zeroed)
				set_undefined(c, o, at, NULL, size);
			add_runs(c,
			         (const uint32_t[]){o->kind == OBJECT_HEAP ? from->birth
			                                                   : SOURCE_INITIAL},
			         at, 1, &last);
		} else
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

/* What a word points into: 1 + the index of the object, which becomes part of the state; 0: nothing.
   `made`: the object that the decoder says it was made from, or 0. */
static uint32_t capture_target(struct capture *c, uint64_t value, uint32_t made, int64_t *offset)
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

/* ------ values that wait: see struct state_waiting ------ */

/* A value that is computed before a point and used after it. */
struct waiting_code {
	uint32_t made, used; /* instructions of the function; the last use */
};

struct waiting_list {
	VEC(struct waiting_code) at;
};

/* --- the code --- */

static uint32_t last_use(struct names *names, const struct code_function *f, LLVMValueRef value)
{
	uint32_t last = 0;

	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		uint32_t index = names_index(names, f, LLVMGetUser(use));

		if (index != UINT32_MAX && index > last)
			last = index;
	}
	return last;
}

/* The address of a local is the same at each use, so it is no value that waits. */
static bool is_value(const struct code_insn *insn)
{
	return insn->words && insn->op != CODE_LOCAL && insn->op != CODE_ALLOCA;
}

static struct waiting_list *list_of(struct state_world *world, const struct code_function *f)
{
	struct waiting_list **known = waiting_map_put(&world->waiting, f->first + 1ull);
	uint32_t *points;

	if (*known)
		return *known;
	*known = mem_alloc(sizeof(**known));
	points = mem_alloc((f->size + 1) * sizeof(*points)); /* that are before each, or at it */
	for (uint32_t i = 0; i < f->size; i++)
		points[i] = (i ? points[i - 1] : 0) + (f->insns[i].flags & CODE_BEGINS ? 1 : 0);
	for (uint32_t i = 0; i < f->size; i++) {
		uint32_t last =
			is_value(&f->insns[i]) ? last_use(world->names, f, f->instructions[i]) : 0;

		if (last > i && points[last] > points[i])
			*vec_push(&(*known)->at) = (struct waiting_code){i, last};
	}
	free(points);
	return *known;
}

/* --- the state --- */

/* Values of a function under way that are in no variable. */
static void waiting_capture(struct capture *c, const struct activation *a, bool top)
{
	const struct code_function *f = a->function;
	const struct waiting_list *list = list_of(c->state->world, f);

	for (uint32_t i = 0; i < list->at.size; i++) {
		const struct waiting_code *code = &list->at.at[i];
		const struct code_slot *slot;
		struct state_waiting *w;

		/* The call of a function under way has no value yet. */
		if (code->made + (top ? 0u : 1u) >= a->pc || code->used < a->pc)
			continue;
		slot = execution_slot(c->e, a, f->insns[code->made].to << 1);
		if (!slot->made || slot->undefined)
			continue;
		w = vec_push(&c->state->waiting);
		w->frame = c->frame;
		w->code = code->made;
		w->bits = slot->bits;
		if (slot->object)
			w->target = capture_target(c, slot->bits, slot->object, &w->offset);
		if (f->insns[code->made].op == CODE_CALL) {
			const struct code_call *call = f->insns[code->made].more;

			/* The function that a call is of, as one may write it. */
			w->call = call->name ? arena_printf(&c->state->arena, "%s()", call->name)
			                     : "(*...)()";
		}
	}
}

/* ------ the graph ------ */

static void state_world_release(struct state_world *world)
{
	struct waiting_map *map;

	if (--world->users)
		return;
	names_destroy(world->names);
	function_names_deinit(&world->functions);
	vec_deinit(&world->modules);
	map = &world->waiting;
	map_each(map, i)
	{
		vec_deinit(&map->at[i].value->at);
		free(map->at[i].value);
	}
	waiting_map_deinit(map);
	free(world);
}

void state_destroy(struct state *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->objects.size; i++)
		free(s->objects.at[i].beyond);
	vec_deinit(&s->frames);
	vec_deinit(&s->objects);
	vec_deinit(&s->edges);
	vec_deinit(&s->runs);
	vec_deinit(&s->waiting);
	vec_deinit(&s->unknown);
	vec_deinit(&s->unknown_object);
	arena_deinit(&s->arena);
	free(s->partial);
	state_world_release(s->world);
	free(s);
}

const char *state_partial(const struct state *s)
{
	return s->partial;
}

/* --- edges and runs --- */

uint32_t state_first_edge(const struct state *s, const struct state_object *o, uint64_t at)
{
	uint32_t low = o->first_edge, high = low + o->edge_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->edges.at[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct state_edge *state_edge_at(const struct state *s, const struct state_object *o,
                                       uint64_t at)
{
	uint32_t i = state_first_edge(s, o, at);

	return i < o->first_edge + o->edge_count && s->edges.at[i].at == at ? &s->edges.at[i]
	                                                                    : NULL;
}

const struct state_run *state_run_at(const struct state *s, const struct state_object *o,
                                     uint64_t at)
{
	uint32_t low = o->first_run, high = low + o->run_count;

	if (low == high || s->runs.at[low].at > at)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (s->runs.at[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return &s->runs.at[low];
}

uint64_t state_run_size(const struct state *s, const struct state_object *o,
                        const struct state_run *run)
{
	bool last = run == &s->runs.at[o->first_run + o->run_count - 1];

	return (last ? o->size : run[1].at) - run->at;
}

uint64_t state_written(const struct state *s, const struct state_object *o, uint64_t at,
                       uint64_t size)
{
	const struct state_run *run = state_run_at(s, o, at);
	const struct state_run *end = s->runs.at + o->first_run + o->run_count;
	uint64_t latest = 0;

	for (; run && run < end && run->at < at + size; run++)
		if (run->statement > latest)
			latest = run->statement;
	return latest;
}

/* --- bytes --- */

bool state_is_undefined(const struct state_object *o, uint64_t bit, uint64_t bits)
{
	if ((bit + bits + 7) / 8 > o->size || !o->bytes)
		return true;
	if (!o->undefined)
		return false;
	if (bit % 8 == 0 && bits % 8 == 0) {
		for (uint64_t k = bit / 8; k < (bit + bits) / 8; k++)
			if (o->undefined[k])
				return true;
		return false;
	}
	for (uint64_t k = bit; k < bit + bits; k++)
		if (o->undefined[k / 8] >> k % 8 & 1)
			return true;
	return false;
}

const uint8_t *state_bytes(const struct state_object *o, uint64_t at, uint64_t size)
{
	if (!o->bytes)
		return NULL;
	if (at + size <= o->size)
		return o->bytes + at;
	if (at >= o->size && at + size <= o->size + o->beyond_size)
		return o->beyond + (at - o->size);
	return NULL;
}

bool state_text(const struct state_object *o, uint64_t at, uint64_t size, uint64_t *length)
{
	uint64_t k = at, end = at + size;

	if (!o->bytes || end > o->size)
		return false;
	while (k < end && o->bytes[k] &&
	       ((o->bytes[k] >= 32 && o->bytes[k] != 127) ||
	        (o->bytes[k] >= 7 && o->bytes[k] <= 13) || o->bytes[k] == 27) &&
	       !(o->undefined && o->undefined[k]))
		k++;
	if (k == end || o->bytes[k] || (o->undefined && o->undefined[k]))
		return false;
	*length = k - at;
	return true;
}

/* --- types --- */

bool state_is_flexible(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type), *last;

	if (!plain || plain->kind != CTYPE_STRUCT || !plain->member_count)
		return false;
	last = ctype_strip(plain->members[plain->member_count - 1].type);
	return last && last->kind == CTYPE_ARRAY && (last->count == CTYPE_NO_COUNT || !last->count);
}

static bool fits(const struct ctype *type, uint8_t stored)
{
	switch (type->kind) {
	case CTYPE_FLOAT: return stored == STORED_REAL;
	case CTYPE_POINTER: return stored == STORED_POINTER;
	default: return stored == STORED_INTEGER;
	}
}

/* The run of these bytes that was written last. */
static const struct state_run *youngest(const struct state *s, const struct state_object *o,
                                        uint64_t at, uint64_t size)
{
	const struct state_run *run = state_run_at(s, o, at), *best = run;
	const struct state_run *end = s->runs.at + o->first_run + o->run_count;

	for (; run && run < end && run->at < at + size; run++)
		if (run->statement > best->statement)
			best = run;
	return best;
}

const struct ctype_member *state_union_member(const struct state *s, const struct state_object *o,
                                              const struct ctype *type, uint64_t at)
{
	const struct state_run *run = youngest(s, o, at, type->size);
	const struct ctype_member *same = NULL;
	uint64_t size;

	if (!type->member_count)
		return NULL;
	if (!run || run->at < at || run->bits == STORED_OTHER)
		return &type->members[0];
	size = state_run_size(s, o, run);
	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct ctype_member *m = &type->members[i];
		uint64_t offset = run->at - at - m->bit_offset / 8;
		struct ctype_part part;

		/* The run may go on into the bytes after the union. */
		for (uint64_t k = size; k; k = k > 8 ? 8 : 0)
			if (!m->bit_size &&
			    ctype_part(m->type, offset, k, CTYPE_SCALAR, &part, NULL) &&
			    ctype_is_scalar(part.type)) {
				if (fits(ctype_strip(part.type), run->bits))
					return m;
				same = same ? same : m;
			}
	}
	return same ? same : &type->members[0];
}

/* ------ variables: of functions under way those in scope, and globals ------ */

/* Where a function stands. */
struct position {
	const struct activation *a;
	const struct variables *variables;
	const struct variable_scope *scope;
	LLVMMetadataRef location, inlined;
	LLVMValueRef next; /* what ends the statement */
};

/* --- scopes --- */

/* The instruction that says where a function stands: of the one on top the end of the next
   statement, of the others the call. */
static LLVMValueRef standing(const struct activation *a, bool top)
{
	const struct code_function *f = a->function;
	uint32_t at = a->pc;

	if (!top)
		return f->instructions[at ? at - 1 : 0];
	while (at + 1 < f->blocks[a->block + 1] && !(f->insns[at].flags & CODE_STATEMENT))
		at++;
	return f->instructions[at < f->size ? at : f->size - 1];
}

static struct position position_of(struct capture *c, const struct activation *a, bool top)
{
	LLVMValueRef instruction = standing(a, top);
	struct position p = {.a = a,
	                     .variables = names_variables(c->names, a->function->place.module),
	                     .location = LLVMInstructionGetDebugLoc(instruction),
	                     .next = instruction};

	p.scope = variables_scope(p.variables, instruction);
	p.inlined = p.location ? LLVMDILocationGetInlinedAt(p.location) : NULL;
	return p;
}

static bool encloses(const struct variable_scope *outer, const struct variable_scope *scope)
{
	while (scope && scope != outer)
		scope = scope->parent;
	return scope == outer;
}

/* Is it declared before the position, and not initialised by the next statement? In the head of a loop
   columns tell nothing: a branch is where the loop begins. */
static bool is_declared(const struct position *p, const struct variable *variable)
{
	uint32_t line = p->location ? LLVMDILocationGetLine(p->location) : 0;

	if (line && LLVMIsAStoreInst(p->next) && LLVMGetOperand(p->next, 1) == variable->storage &&
	    variable->line == line && variable->column == LLVMDILocationGetColumn(p->location))
		return false;
	return !line || variable->line <= line;
}

static bool in_scope(const struct position *p, const struct variable *variable)
{
	if (variable->indirect || variable->artificial)
		return false;
	if (variable->argument && !variable->inlined)
		return true;
	if (p->inlined) /* scopes are those of the inlined function: only its own are known */
		return variable->inlined == p->inlined ? encloses(variable->scope, p->scope)
		                                       : !variable->inlined;
	return !variable->inlined && encloses(variable->scope, p->scope) &&
	       is_declared(p, variable);
}

/* The variable in scope that lives in a storage; NULL: none. */
static const struct variable *variable_at(const struct position *p, LLVMValueRef storage)
{
	const struct variable *variable = variables_of_alloca(p->variables, storage);

	while (variable && !in_scope(p, variable))
		variable = variable->also;
	return variable;
}

/* --- locals --- */

static void set_variable(struct capture *c, struct state_object *o, const struct variable *variable)
{
	uint32_t same = 0;

	for (uint32_t i = c->state->frames.at[c->frame - 1].first; i + 1 < c->state->objects.size;
	     i++)
		same += c->state->objects.at[i].variable &&
		        !strcmp(c->state->objects.at[i].variable->name, variable->name);
	o->frame = c->frame;
	o->elements = false;
	o->variable = variable;
	o->type = variable->type;
	o->key = arena_printf(&c->state->arena, "%s#%u", variable->name, same);
}

/* Is it what the function will return? The compiler gives it a place without a name. */
static bool is_result(LLVMValueRef storage)
{
	for (LLVMUseRef use = LLVMGetFirstUse(storage); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef load = LLVMGetUser(use);
		LLVMUseRef first = LLVMIsALoadInst(load) ? LLVMGetFirstUse(load) : NULL;

		if (first && LLVMIsAReturnInst(LLVMGetUser(first)))
			return true;
	}
	return false;
}

/* The number of the object that a local is; 0: it is private. */
static uint32_t local_number(const struct activation *a, uint32_t local)
{
	for (uint32_t i = 0; i < a->function->object_count; i++)
		if (a->function->objects[i] == local)
			return a->object + i;
	return 0;
}

static void add_locals(struct capture *c, const struct position *p)
{
	const struct plan_function *plan = p->a->function->plan;

	for (uint32_t i = 0; i < plan->locals.size; i++) {
		const struct plan_local *local = &plan->locals.at[i];
		const struct variable *variable = variable_at(p, local->alloca_);
		bool result = !variable && !variables_of_alloca(p->variables, local->alloca_) &&
		              is_result(local->alloca_);
		struct state_object *o;
		const struct ctype *type;

		if (!variable && !result)
			continue;
		o = capture_add(c, local_number(p->a, i), p->a->address + local->offset,
		                local->size, OBJECT_LOCAL);
		if (variable) {
			set_variable(c, o, variable);
			continue;
		}
		o->frame = c->frame;
		type = types_of_function(names_types(c->names, p->a->function->place.module),
		                         p->a->function->plan->function);
		type = ctype_strip(type);
		o->type = type && type->kind == CTYPE_FUNCTION ? type->target : NULL;
		o->hint = "return value";
		o->key = "#result";
	}
}

/* Structures passed by value, and arrays of variable length. */
static void add_others(struct capture *c, const struct position *p)
{
	const struct code_function *f = p->a->function;
	struct objects *objects = execution_objects(c->e);

	for (uint32_t i = 0; i < f->size + f->plan->byvals.size; i++) {
		bool byval = i >= f->size;
		uint32_t index = byval ? f->plan->byvals.at[i - f->size] : 0, number;
		LLVMValueRef storage;
		const struct variable *variable;
		uint64_t address;

		if (!byval && f->insns[i].op != CODE_ALLOCA)
			continue;
		storage = byval ? LLVMGetParam(f->plan->function, index) : f->instructions[i];
		variable = variable_at(p, storage);
		address = execution_slot(c->e, p->a,
		                         (byval ? f->parameters[index].slot : f->insns[i].to) << 1)
		                  ->bits;
		number = variable && address >= 4096 ? objects_find(objects, address) : 0;
		if (!number || objects_at(objects, number)->owner != p->a->frame ||
		    objects_at(objects, number)->address != address)
			continue;
		set_variable(c,
		             capture_add(c, number, address, objects_at(objects, number)->size,
		                         objects_at(objects, number)->kind),
		             variable);
	}
}

static void add_frame(struct capture *c, const struct activation *a, bool top)
{
	struct position p = position_of(c, a, top);
	uint32_t first = c->state->objects.size;
	struct state_frame *frame = vec_push(&c->state->frames);
	struct state *s;

	frame->function = a->function->plan->name;
	frame->call = statements_of(c->statements, a->root);
	frame->first = first;
	c->frame = c->state->frames.size;
	add_locals(c, &p);
	add_others(c, &p);
	c->state->frames.at[c->frame - 1].count = c->state->objects.size - first;
	/* Variables of the same name that are hidden by one further in say where they are declared. */
	s = c->state;
	for (uint32_t i = first; i < s->objects.size; i++)
		for (uint32_t k = first; k < s->objects.size; k++) {
			struct state_object *o = &s->objects.at[i];
			const struct variable *v = o->variable, *w = s->objects.at[k].variable;

			if (i != k && v && w && !strcmp(v->name, w->name) && v->scope && w->scope &&
			    v->scope->depth < w->scope->depth)
				o->hint = arena_printf(&s->arena, " (line %u)", v->line);
		}
	waiting_capture(c, a, top);
}

/* --- globals --- */

static void add_global(struct capture *c, uint32_t number, const struct object *o)
{
	const struct program *program = walk_program(execution_walk(c->e));
	LLVMValueRef global = program->modules.at[o->owner].plan->globals.at[o->index];

	if (!LLVMIsGlobalConstant(global) &&
	    variables_of_global(names_variables(c->names, o->owner), global))
		capture_add(c, number, o->address, o->size, OBJECT_GLOBAL);
}

/* Those of threads have their addresses only in the list of all objects. */
static void add_thread_locals(struct capture *c)
{
	const struct program *program = walk_program(execution_walk(c->e));
	struct objects *objects = execution_objects(c->e);

	for (uint32_t i = 0; i < objects->all.size; i++) {
		const struct object *o = &objects->all.at[i];

		if (o->kind == OBJECT_GLOBAL &&
		    LLVMIsThreadLocal(program->modules.at[o->owner].plan->globals.at[o->index]))
			add_global(c, i + 1, o);
	}
}

static void add_globals(struct capture *c)
{
	const struct program *program = walk_program(execution_walk(c->e));
	struct objects *objects = execution_objects(c->e);
	bool threads = false;

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct program_module *module = &program->modules.at[m];

		for (uint32_t g = 0; module->plan && g < module->plan->globals.size; g++) {
			uint64_t at = module->addresses[module->plan->functions.size + g];
			uint32_t number;

			threads |= LLVMIsThreadLocal(module->plan->globals.at[g]);
			number = at && !LLVMIsThreadLocal(module->plan->globals.at[g])
			                 ? objects_find(objects, at)
			                 : 0;
			if (number && objects_at(objects, number)->kind == OBJECT_GLOBAL &&
			    objects_at(objects, number)->owner == m &&
			    objects_at(objects, number)->index == g)
				add_global(c, number, objects_at(objects, number));
		}
	}
	if (threads)
		add_thread_locals(c);
}

/* All variables. */
static void capture_roots(struct capture *c)
{
	const struct hence_head *head = &walk_tape(execution_walk(c->e))->head;
	struct objects *objects = execution_objects(c->e);
	uint32_t given = head->argv ? objects_find(objects, head->argv) : 0;

	for (uint32_t depth = execution_depth(c->e); depth-- > 0;)
		add_frame(c, execution_top(c->e, depth), !depth);
	add_globals(c);
	if (given)
		capture_add(c, given, objects_at(objects, given)->address,
		            objects_at(objects, given)->size, OBJECT_GIVEN);
}

/* ------ a state ------ */

/* Takes the bytes of an object and finds what they point to. */
static void take_object(struct capture *c, uint32_t index)
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
	if (!o->variable && o->kind == OBJECT_GLOBAL) {
		uint64_t hash = o->size;

		/* What the compiler made, as literals: the same when it has the same bytes. */
		for (uint64_t i = 0; i < o->size; i++)
			hash = map_hash_u64(hash ^ o->bytes[i]);
		o->key = arena_printf(&c->state->arena, "\"%llx", (unsigned long long)hash);
	}
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

static void take_objects(struct capture *c)
{
	struct state *s = c->state;
	uint32_t others = 0;

	while (others < s->objects.size) {
		for (; c->certain < s->objects.size; c->certain++)
			if (is_certain(&s->objects.at[c->certain]))
				take_object(c, c->certain);
		while (others < s->objects.size && s->objects.at[others].taken)
			others++;
		if (others < s->objects.size)
			take_object(c, others);
	}
}

/* The state where the execution stands. `types`: of heap blocks, by object number, where they were
   allocated. Caller frees with state_destroy(). */
static struct state *state_capture(struct state_world *world, struct execution *e,
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
	take_objects(&c);
	object_index_deinit(&c.known);
	object_index_deinit(&c.births);
	return s;
}

/* ------ states of a run ------ */

#define MOST (256ull << 20)
#define LOOK 0xffffu /* statements between two questions whether to stop, less 1 */

struct taking {
	const struct recording *run;
	const uint64_t *times;
	uint32_t count, next;
	uint64_t most;
	const struct state_options *options;
	struct names *names; /* the world's */
	struct statements statements;
	struct birth_types types;
	struct state_world *world;
	bool (*take)(void *context, uint32_t index, struct state *state);
	void *context;
	bool enough;
};

/* --- notes on the way, where the run has no history --- */

/* A call gave a block: what as? */
static void note_birth(struct taking *t, struct execution *e, const struct activation *a,
                       const struct code_insn *insn)
{
	const struct code_slot *slot = execution_slot(e, a, insn->to << 1);
	struct objects *objects = execution_objects(e);
	const struct object *o;
	const struct ctype *type;

	if (!slot || !slot->object || slot->object > objects->all.size)
		return;
	o = objects_at(objects, slot->object);
	if (o->kind != OBJECT_HEAP || o->birth != a->call)
		return;
	type = birth_type(t->world->names);
	if (type)
		*birth_types_put(&t->types, slot->object) = type;
	else
		birth_types_remove(&t->types, slot->object);
}

static void note(struct taking *t, struct execution *e, uint64_t number)
{
	const struct activation *a = execution_top(e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];

	if (insn->op == CODE_CALL && insn->words && insn->flags & CODE_POINTER)
		note_birth(t, e, a, insn);
	else if (insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE)
		statements_stored(&t->statements, number,
		                  statements_kind(a->function->instructions[a->pc - 1]));
}

/* --- states --- */

static void note_modules(struct state_world *world, const struct program *program)
{
	while (world->modules.size < program->modules.size) {
		const struct program_module *m = &program->modules.at[world->modules.size];
		struct state_module *to = vec_push(&world->modules);

		to->plan = m->plan;
		for (uint32_t i = 0; m->plan && i < m->imports && !to->base; i++)
			to->base = m->addresses[i];
	}
}

static void name_functions(struct state_world *world, const struct program *program)
{
	map_each(&program->functions, i)
	{
		const struct program_place *place = &program->functions.at[i].value;

		*function_names_put(&world->functions, program->functions.at[i].key) =
			program_function(program, *place)->name;
	}
}

static void take_state(struct taking *t, struct execution *e, uint64_t time)
{
	struct state *state;

	if (!t->statements.run)
		statements_rank(&t->statements);
	note_modules(t->world, walk_program(execution_walk(e)));
	name_functions(t->world, walk_program(execution_walk(e)));
	while (t->next < t->count && t->times[t->next] == time && !t->enough) {
		state = state_capture(t->world, e, &t->statements, &t->types, time, t->most);
		t->enough = !t->take(t->context, t->next++, state);
	}
	t->enough |= t->next == t->count;
	if (t->enough)
		walk_halt(execution_walk(e));
}

static void follow(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct taking *t = context;

	if (t->enough)
		return;
	if (!t->statements.run && event == EXECUTION_BEGINS)
		statements_begin(&t->statements, execution_next(e));
	if (event == EXECUTION_BEGINS && t->next < t->count && number == t->times[t->next])
		take_state(t, e, number);
	else if (!t->statements.run && event == EXECUTION_ENDED)
		note(t, e, number);
	if (!(number & LOOK) && t->options && t->options->stop &&
	    t->options->stop(t->options->context)) {
		t->enough = true;
		walk_halt(execution_walk(e));
	}
}

static void on_moved(void *context, struct execution *e)
{
	struct taking *t = context;

	if (t->names)
		names_move(t->names, e);
	else
		t->names = names_create(e);
	t->world->names = t->names;
	t->statements.whole = execution_whole(e);
	t->statements.run = t->statements.whole ? t->run : NULL;
}

struct hence_error *states_take(const struct recording *run, const uint64_t *times, uint32_t count,
                                const struct state_options *options,
                                bool (*take)(void *context, uint32_t index, struct state *state),
                                void *context)
{
	struct taking t = {.run = run,
	                   .times = times,
	                   .count = count,
	                   .most = options && options->memory ? options->memory : MOST,
	                   .options = options,
	                   .take = take,
	                   .context = context};
	const struct execution_options how = {.table = run->table,
	                                      .windows = true,
	                                      .begins = true,
	                                      .statement = follow,
	                                      .context = &t};
	struct execution *e = NULL;
	struct hence_error *error;

	if (!count)
		return NULL;
	t.world = mem_alloc(sizeof(*t.world));
	t.world->users = 1;
	error = history_visit(run, times, count, &how, on_moved, &e);
	if (!error && !t.enough && t.next < count)
		error = error_create(HENCE_ERROR_INTERNAL,
		                     "there is no statement %llu: the run has only %llu",
		                     (unsigned long long)times[t.next],
		                     (unsigned long long)execution_statements(e));
	free(t.statements.begins);
	free(t.statements.ranks);
	free(t.statements.stored);
	birth_types_deinit(&t.types);
	state_world_release(t.world);
	execution_destroy(e);
	return error;
}
