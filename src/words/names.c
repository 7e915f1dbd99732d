/* Names of places in memory: see names.h. A place is named from the code of a pointer to it, by its address,
   or by the shortest way to it. */
#include "words/names.h"

#include <assert.h>
#include <string.h>

MAP_DEFINE_U64(slot_map, uint32_t);
MAP_DEFINE_U64(values_map, struct slot_map *);

#define NAMES_RANGES 64u

/* Where a heap block was born and died: numbers of instructions plus 1; 0: not seen. */
struct names_life {
	uint32_t birth, death;
};

MAP_DEFINE_U64(life_map, struct names_life);

/* A string of argv or environ, by address. */
struct names_given {
	uint64_t address, size;
	uint32_t index;
	bool environment;
};

struct names {
	struct execution *e;
	struct values_map values; /* by function: index of the instruction of a value */
	struct life_map lives;    /* by object */
	uint32_t objects_seen;
	VEC(struct names_given) given;
	bool given_read;
	struct ctype
		ranges[NAMES_RANGES]; /* types of several elements, the next to be used again */
	uint32_t next_range;
	struct code_slot constant; /* what names_slot() gives for one */
	bool targets;              /* names_say_targets() */
	/* the statement that is described */
	uint32_t depth; /* of its function */
	uint32_t first;
	uint64_t written, written_size;
};

/* The function of the statement that is described, 0, and its callers. NULL: no more. */
static inline const struct activation *names_top(const struct names *n, uint32_t depth)
{
	return execution_top(n->e, n->depth + depth);
}

/* ------ a name for a place in a heap block ------ */

/* The shortest way to it from a variable, through pointers with known types. Breadth first, from the variables of the function on top, then globals, then variables of its callers; it gives up after so many pointers that the name would help nobody. */

#define DEEPEST_PATH 8u
#define POINTERS     4096u
#define ELEMENTS     64u /* of an array that are looked at */

/* Typed memory that the search has reached: a variable, or what a pointer points to. */
struct region {
	uint64_t address;
	uint64_t size;
	const struct ctype *type; /* of the variable, or of one element behind the pointer */
	const struct variable *variable;
	const struct activation *a; /* that it is a variable of; NULL: a global or a pointer's */
	uint32_t depth;             /* pointers from the variable on */
	uint32_t from;              /* region that the pointer lies in */
	uint64_t at;                /* and where in it */
};

MAP_DEFINE_U64(seen_map, bool);

struct search {
	struct names *n;
	uint64_t address;
	uint32_t object;
	VEC(struct region) regions;
	struct seen_map seen; /* objects that were reached */
	uint32_t pointers;
	uint32_t found; /* 1 + region that holds the address */
};

/* --- following pointers --- */

static uint64_t size_of(const struct ctype *type);

static void scan(struct search *s, uint32_t from, uint64_t at, const struct ctype *type);

static void scan_array(struct search *s, uint32_t from, uint64_t at, const struct ctype *element,
                       uint64_t count)
{
	uint64_t size = size_of(element);

	for (uint64_t i = 0; size && i < count && i < ELEMENTS && !s->found; i++)
		scan(s, from, at + i * size, element);
}

static void scan_pointer(struct search *s, uint32_t from, uint64_t at, const struct ctype *target)
{
	struct memory_value v;

	if (s->pointers++ >= POINTERS)
		return;
	v = memory_load(execution_memory(s->n->e), s->regions.at[from].address + at, 8);
	if (v.known && !v.undefined) {
		struct objects *objects = execution_objects(s->n->e);
		uint32_t number = v.bits < 4096 ? 0 : objects_find(objects, v.bits);
		const struct object *o = number ? objects_at(objects, number) : NULL;
		struct region region = {.address = v.bits, .type = target, .from = from, .at = at};

		if (!o || o->kind != OBJECT_HEAP || !size_of(target))
			return;
		region.size = o->address + o->size - v.bits;
		region.depth = s->regions.at[from].depth + 1;
		if (number == s->object && s->address >= v.bits) {
			*vec_push(&s->regions) = region;
			s->found = s->regions.size;
			return;
		}
		if (region.depth == DEEPEST_PATH || *seen_map_put(&s->seen, number))
			return;
		*seen_map_put(&s->seen, number) = true;
		*vec_push(&s->regions) = region;
	}
}

static bool may_point(const struct ctype *type)
{
	type = ctype_strip(type);
	return type && (type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY ||
	                type->kind == CTYPE_STRUCT || type->kind == CTYPE_UNION);
}

/* The pointers in a part of a region. */
static void scan(struct search *s, uint32_t from, uint64_t at, const struct ctype *type)
{
	type = ctype_strip(type);
	if (!type || s->found || s->pointers >= POINTERS)
		return;
	if (type->kind == CTYPE_POINTER)
		scan_pointer(s, from, at, type->target);
	else if (type->kind == CTYPE_ARRAY && type->count != CTYPE_NO_COUNT &&
	         may_point(type->target))
		scan_array(s, from, at, type->target, type->count);
	else if (type->kind == CTYPE_STRUCT || type->kind == CTYPE_UNION)
		for (uint32_t i = 0; i < type->member_count; i++)
			if (!type->members[i].bit_size)
				scan(s, from, at + type->members[i].bit_offset / 8,
				     type->members[i].type);
}

static void scan_region(struct search *s, uint32_t index)
{
	struct region region = s->regions.at[index];
	uint64_t size = size_of(region.type);

	if (region.variable)
		scan(s, index, 0, region.type);
	else if (may_point(region.type))
		scan_array(s, index, 0, region.type, region.size / size);
}

/* --- where it begins --- */

static void add_variable(struct search *s, const struct variable *variable,
                         const struct activation *a, uint64_t address)
{
	if (address && variable && variable->name && !variable->indirect && !variable->also &&
	    may_point(variable->type))
		*vec_push(&s->regions) = (struct region){.address = address,
		                                         .size = size_of(variable->type),
		                                         .type = variable->type,
		                                         .variable = variable,
		                                         .a = a};
}

static const struct variable *names_variable(struct names *n, const struct activation *a,
                                             LLVMValueRef storage);

static void add_locals(struct search *s, const struct activation *a)
{
	const struct plan_function *plan = a->function->plan;

	for (uint32_t i = 0; i < plan->locals.size; i++)
		add_variable(s, names_variable(s->n, a, plan->locals.at[i].alloca_), a,
		             a->address + plan->locals.at[i].offset);
}

/* --- the expression --- */

static void names_qualify(const struct names *n, const struct activation *a, struct name *out);
static bool names_add_part(const struct ctype *type, uint64_t offset, const struct names_use *use,
                           bool arrow, struct str *text, struct ctype_part *part);

/* Appends the expression of the `use` at an offset of a region. */
static bool express(const struct search *s, uint32_t index, uint64_t at,
                    const struct names_use *use, struct name *out)
{
	static const struct names_use pointer = {.size = 8};
	const struct region *region = &s->regions.at[index];
	uint64_t size = size_of(region->type);
	char *inner;

	if (region->variable) {
		if (region->a)
			names_qualify(s->n, region->a, out);
		str_add(&out->text, region->variable->name);
		return names_add_part(region->type, at, use, false, &out->text, &out->part);
	}
	if (!express(s, region->from, region->at, &pointer, out))
		return false;
	if (at < size && at + use->size <= size)
		return names_add_part(region->type, at, use, true, &out->text, &out->part);
	inner = str_steal(&out->text);
	str_printf(&out->text, *inner == '*' ? "(%s)[%llu]" : "%s[%llu]", inner,
	           (unsigned long long)(at / size));
	free(inner);
	return names_add_part(region->type, at % size, use, false, &out->text, &out->part);
}

/* Goes on until nothing new is reached. */
static uint32_t advance(struct search *s, uint32_t done)
{
	for (; done < s->regions.size && !s->found && s->pointers < POINTERS; done++)
		scan_region(s, done);
	return done;
}

/* A pointer variable that leads to this object, through pointers; appends the expression of the
   part that is used. False: none. */
static bool names_search(struct names *n, uint64_t address, uint32_t object,
                         const struct names_use *use, struct name *out)
{
	struct search s = {.n = n, .address = address, .object = object};
	const struct activation *a = names_top(s.n, 0);
	uint32_t done;

	if (a)
		add_locals(&s, a);
	done = advance(&s, 0);
	if (!s.found) {
		const struct program *program = walk_program(execution_walk(s.n->e));

		for (uint32_t m = 0; m < program->modules.size; m++) {
			const struct program_module *module = &program->modules.at[m];

			for (uint32_t g = 0; module->plan && g < module->plan->globals.size; g++) {
				LLVMValueRef global = module->plan->globals.at[g];

				if (!LLVMIsDeclaration(global) && !LLVMIsGlobalConstant(global))
					add_variable(
						&s,
						variables_of_global(names_variables(s.n, m),
					                            global),
						NULL,
						module->addresses[module->plan->functions.size +
					                          g]);
			}
		}
	}
	done = advance(&s, done);
	for (uint32_t depth = 1; !s.found && (a = names_top(s.n, depth)); depth++) {
		add_locals(&s, a);
		done = advance(&s, done);
	}
	if (s.found) {
		const struct region *region = &s.regions.at[s.found - 1];

		out->known = express(&s, s.found - 1, address - region->address, use, out);
	}
	if (!out->known) {
		str_deinit(&out->text);
		out->qualified = 0;
	}
	vec_deinit(&s.regions);
	seen_map_deinit(&s.seen);
	return out->known;
}

/* ------ names by address ------ */

/* Variables of functions under way, globals, what the program was given. Heap blocks are found by search.c; see names.h. */

#define MOST_GIVEN 4096u /* strings of argv and environ */

/* --- variables --- */

static bool holds(uint64_t address, uint64_t start, uint64_t size)
{
	return address >= start && address - start < size;
}

/* Puts `main.` in front of a variable of a caller; `fact@3.` when fact() is under way several
   times: it is the third call from main() on. */
static void names_qualify(const struct names *n, const struct activation *a, struct name *out)
{
	const struct activation *other;
	uint32_t height = 0, same = 0, at = 0;

	if (a == names_top(n, 0))
		return;
	for (uint32_t depth = 0; (other = names_top(n, depth)); depth++) {
		same += other->function == a->function;
		at = other == a ? depth : at;
		height++;
	}
	str_add(&out->text, a->function->plan->name);
	if (same > 1)
		str_printf(&out->text, "@%u", height - at);
	str_add_char(&out->text, '.');
	out->qualified = out->text.length;
}

/* The name of a part of a variable that begins at `start`. */
static bool name_part(const struct variable *variable, uint64_t offset, const struct names_use *use,
                      struct name *out)
{
	size_t before = out->text.length;

	if (!variable || variable->indirect || variable->also)
		return false;
	str_add(&out->text, variable->name);
	if (names_add_part(variable->type, offset, use, false, &out->text, &out->part)) {
		out->known = true;
		return true;
	}
	out->text.length = before;
	out->text.text[before] = '\0';
	return false;
}

static bool in_frame(struct names *n, const struct activation *a, uint64_t address,
                     const struct names_use *use, struct name *out)
{
	const struct plan_function *plan = a->function->plan;

	for (uint32_t i = 0; i < plan->locals.size; i++) {
		const struct plan_local *local = &plan->locals.at[i];
		uint64_t start = a->address + local->offset;

		if (holds(address, start, local->size))
			return name_part(names_variable(n, a, local->alloca_), address - start, use,
			                 out);
	}
	return false;
}

/* The variable of a dynamic alloca: the instruction whose value is the object's address. */
static const struct variable *find_dynamic(struct names *n, const struct activation *a,
                                           uint64_t start)
{
	const struct code_function *f = a->function;

	for (uint32_t i = 0; i < f->size; i++)
		if (f->insns[i].op == CODE_ALLOCA &&
		    execution_slot(n->e, a, f->insns[i].to << 1)->bits == start)
			return names_variable(n, a, f->instructions[i]);
	return NULL;
}

static bool in_object(struct names *n, const struct activation *a, const struct object *o,
                      uint64_t address, const struct names_use *use, struct name *out)
{
	const struct variable *variable = NULL;

	if (o->kind == OBJECT_BYVAL)
		variable =
			names_variable(n, a, LLVMGetParam(a->function->plan->function, o->index));
	else if (o->kind == OBJECT_DYNAMIC)
		variable = find_dynamic(n, a, o->address);
	return name_part(variable, address - o->address, use, out);
}

static bool in_stack(struct names *n, uint64_t address, const struct object *o,
                     const struct names_use *use, struct name *out)
{
	const struct activation *a;

	for (uint32_t depth = 0; (a = names_top(n, depth)); depth++) {
		bool framed = holds(address, a->address, a->function->plan->frame_size);

		if (!framed && !(o && o->owner == a->frame))
			continue;
		names_qualify(n, a, out);
		if (framed ? in_frame(n, a, address, use, out)
		           : in_object(n, a, o, address, use, out))
			return true;
		str_deinit(&out->text);
		out->qualified = 0;
	}
	return false;
}

/* --- globals --- */

/* Strings that the program did not declare. */
static void set_char(const struct names_use *use, struct name *out)
{
	static const struct ctype type = {
		.kind = CTYPE_CHAR, .is_signed = true, .name = "char", .size = 1};

	out->known = true;
	if (use->size == 1)
		out->part.type = &type;
}

static bool in_global(struct names *n, const struct object *o, uint64_t address,
                      const struct names_use *use, struct name *out)
{
	const struct program *program = walk_program(execution_walk(n->e));
	LLVMValueRef global = program->modules.at[o->owner].plan->globals.at[o->index];
	const struct variable *variable = variables_of_global(names_variables(n, o->owner), global);
	const struct activation *top = names_top(n, 0);
	const char *function = variable && variable->scope ? variable->scope->function_name : NULL;

	if (!variable) {
		/* A string literal: its text, and the index of the character. */
		if (LLVMGetLinkage(global) != LLVMPrivateLinkage || !LLVMIsGlobalConstant(global) ||
		    !names_print_text(n, o->address, 24, &out->text))
			return false;
		str_printf(&out->text, "[%llu]", (unsigned long long)(address - o->address));
		set_char(use, out);
		return true;
	}
	if (function && (!top || strcmp(top->function->plan->name, function))) {
		str_printf(&out->text, "%s.", function);
		out->qualified = out->text.length;
	}
	if (name_part(variable, address - o->address, use, out))
		return true;
	str_deinit(&out->text);
	out->qualified = 0;
	return false;
}

/* --- what the program was given --- */

static void add_strings(struct names *n, uint64_t array, uint64_t count, bool environment)
{
	struct memory *memory = execution_memory(n->e);

	for (uint32_t i = 0; array && i < count && i < MOST_GIVEN; i++) {
		uint64_t start = memory_load(execution_memory(n->e), array + 8 * i, 8).bits,
			 end = start;
		struct names_given *given;

		if (!start)
			break;
		while (end - start < 1 << 20 && memory_load(memory, end, 1).bits)
			end++;
		given = vec_push(&n->given);
		*given = (struct names_given){start, end + 1 - start, i, environment};
	}
}

static bool in_given(struct names *n, uint64_t address, const struct names_use *use,
                     struct name *out)
{
	const struct hence_head *head = &walk_tape(execution_walk(n->e))->head;

	if (!n->given_read) {
		n->given_read = true;
		add_strings(n, head->argv, head->argc, false);
		add_strings(n, head->environ, MOST_GIVEN, true);
	}
	if (head->argv && holds(address, head->argv, 8 * ((uint64_t)head->argc + 1))) {
		str_printf(&out->text, "argv[%llu]",
		           (unsigned long long)(address - head->argv) / 8);
		return out->known = true;
	}
	for (uint32_t i = 0; i < n->given.size; i++) {
		const struct names_given *given = &n->given.at[i];

		if (!holds(address, given->address, given->size))
			continue;
		if (given->environment) {
			uint8_t text[256] = {0};
			uint64_t at = address - given->address;
			char *equals;

			memory_read(execution_memory(n->e), given->address, sizeof(text) - 1, text);
			equals = strchr((char *)text, '=');
			if (!equals || (int64_t)at <= equals - (char *)text)
				str_printf(&out->text, "environ[%u][%llu]", given->index,
				           (unsigned long long)at);
			else
				str_printf(&out->text, "getenv(\"%.*s\")[%llu]",
				           (int)(equals - (char *)text), text,
				           (unsigned long long)(at - 1 -
				                                (uint64_t)(equals - (char *)text)));
		} else
			str_printf(&out->text, "argv[%u][%llu]", given->index,
			           (unsigned long long)(address - given->address));
		set_char(use, out);
		return true;
	}
	return false;
}

/* --- all --- */

bool names_find_variable(struct names *n, uint64_t address, const struct names_use *use,
                         struct name *out)
{
	uint32_t number = execution_object_at(n->e, address);
	const struct object *o = number ? objects_at(execution_objects(n->e), number) : NULL;
	struct name found = {.address = address, .size = use->size};

	if (address < 4096 || (o && o->kind == OBJECT_HEAP))
		return false;
	if (o && o->kind == OBJECT_GLOBAL
	            ? !in_global(n, o, address, use, &found)
	            : !in_stack(n, address, o, use, &found) && !in_given(n, address, use, &found))
		return false;
	*out = found;
	return true;
}

static void add_short_place(struct names *n, uint32_t code, struct str *out)
{
	struct walk_place place = names_place(n, code);

	if (place.file)
		str_printf(out, "%s:%u", place.file, place.line);
	else
		str_printf(out, "%s()", place.function);
}

/* Where a heap block was allocated and freed, if it was. */
static struct names_life life_of(struct names *n, uint32_t number)
{
	const struct execution *whole = execution_whole(n->e);
	const struct object *o = objects_at(execution_objects(n->e), number);
	const struct names_life *noted;
	struct names_life life = {0};

	if (o->kind != OBJECT_HEAP)
		return life;
	if (whole) {
		if (o->birth >= EXECUTION_FIRST)
			life.birth = execution_code(whole, o->birth) + 1;
		if (o->death >= EXECUTION_FIRST)
			life.death = execution_code(whole, o->death) + 1;
		return life;
	}
	noted = life_map_find(&n->lives, number);
	return noted ? *noted : life;
}

void names_of_address(struct names *n, uint64_t address, const struct names_use *use,
                      struct name *out)
{
	uint32_t object = execution_object_at(n->e, address);
	const struct object *o;

	out->address = address;
	out->size = use->size;
	if (names_find_variable(n, address, use, out))
		return;
	if (object && objects_at(execution_objects(n->e), object)->kind == OBJECT_HEAP &&
	    names_search(n, address, object, use, out))
		return;
	/* Where nothing better is known. */
	o = object ? objects_at(execution_objects(n->e), object) : NULL;
	if (o && o->kind == OBJECT_HEAP) {
		struct names_life life = life_of(n, object);

		str_printf(&out->text, "heap block of %llu bytes", (unsigned long long)o->size);
		if (life.birth) {
			str_add(&out->text, " from ");
			add_short_place(n, life.birth - 1, &out->text);
		}
		str_printf(&out->text, ", byte %llu",
		           (unsigned long long)(out->address - o->address));
	} else if (out->address < 4096) {
		str_printf(&out->text, "*(%#llx)", (unsigned long long)out->address);
	} else {
		str_printf(&out->text, "memory at %#llx", (unsigned long long)out->address);
	}
}

/* --- objects, dead ones too --- */

static const struct variable *variable_of_local(struct names *n, uint32_t number,
                                                const struct code_function **function)
{
	uint32_t count;
	const struct execution *whole = execution_whole(n->e);
	/* The frame of a function that has returned is known in the whole run only. */
	struct execution *e = whole ? (struct execution *)whole : n->e;
	const struct execution_frame *frames = execution_frames(e, &count);
	const struct object *o = objects_at(execution_objects(e), number);
	const struct variables *variables;

	if (o->owner >= count)
		return NULL;
	*function = execution_code_table(n->e)->functions.at[frames[o->owner].function];
	variables = names_variables(n, (*function)->place.module);
	if (o->kind == OBJECT_LOCAL)
		return variables_of_alloca(variables,
		                           (*function)->plan->locals.at[o->index].alloca_);
	if (o->kind == OBJECT_BYVAL)
		return variables_of_alloca(variables,
		                           LLVMGetParam((*function)->plan->function, o->index));
	return NULL;
}

static void print_heap(struct names *n, uint32_t number, const struct object *o, bool end,
                       struct str *out)
{
	struct names_life life = life_of(n, number);

	str_printf(out, "a heap block of %llu bytes", (unsigned long long)o->size);
	if (!life.birth)
		return;
	str_add(out, " (allocated at ");
	add_short_place(n, life.birth - 1, out);
	if (end && life.death) {
		str_add(out, ", freed at ");
		add_short_place(n, life.death - 1, out);
	}
	str_add_char(out, ')');
}

/* NULL: it is none. `function`: that it is local to; NULL: it is not. */
static const struct variable *variable_of_object(struct names *n, uint32_t number,
                                                 const struct code_function **function)
{
	const struct program *program = walk_program(execution_walk(n->e));
	const struct object *o = objects_at(execution_objects(n->e), number);

	*function = NULL;
	if (o->kind == OBJECT_HEAP || o->kind == OBJECT_GIVEN)
		return NULL;
	if (o->kind != OBJECT_GLOBAL)
		return variable_of_local(n, number, function);
	return variables_of_global(names_variables(n, o->owner),
	                           program->modules.at[o->owner].plan->globals.at[o->index]);
}

void names_print_object(struct names *n, uint32_t number, bool end, struct str *out)
{
	const struct object *o = objects_at(execution_objects(n->e), number);
	const struct code_function *function;
	const struct variable *variable;

	if (o->kind == OBJECT_HEAP) {
		print_heap(n, number, o, end, out);
		return;
	}
	if (o->kind == OBJECT_GIVEN) {
		str_add(out, o->owner ? "environ" : "argv");
		if (o->index != OBJECT_ARRAY)
			str_printf(out, "[%u]", o->index);
		str_printf(out, " (%llu bytes)", (unsigned long long)o->size);
		return;
	}
	variable = variable_of_object(n, number, &function);
	if (variable && function)
		str_printf(out, "%s.%s", function->plan->name, variable->name);
	else if (variable)
		str_add(out, variable->name);
	else if (o->kind != OBJECT_GLOBAL || !names_print_text(n, o->address, 24, out))
		str_add(out,
		        o->kind == OBJECT_DYNAMIC ? "an array of variable length" : "a temporary");
	str_printf(out, " (%llu bytes", (unsigned long long)o->size);
	if (variable && variable->file)
		str_printf(out, ", %s:%u", variable->file, variable->line);
	str_add_char(out, ')');
}

void names_object(struct names *n, uint32_t number, struct names_object *out)
{
	const struct code_function *function;
	const struct variable *variable = variable_of_object(n, number, &function);
	struct names_life life = life_of(n, number);

	*out = (struct names_object){0};
	if (variable) {
		out->name = variable->name;
		out->declared =
			(struct walk_place){.function = function ? function->plan->name : NULL,
		                            .file = variable->file,
		                            .line = variable->line,
		                            .column = variable->column};
	}
	if (life.birth)
		out->allocated = names_place(n, life.birth - 1);
	if (life.death)
		out->freed = names_place(n, life.death - 1);
}

/* ------ which bit-field a load or store is about ------ */

/* Clang moves the whole unit that bit-fields share, and what it does with the value tells which bits are meant. read, signed ashr (shl UNIT, up), down read, unsigned and (lshr UNIT, from), mask write or (and UNIT, ~mask), value. */

static bool is_mask(uint64_t bits, uint32_t *offset, uint32_t *size)
{
	if (!bits)
		return false;
	*offset = (uint32_t)__builtin_ctzll(bits);
	bits >>= *offset;
	*size = (uint32_t)__builtin_popcountll(bits);
	return *size == 64 || bits == (1ull << *size) - 1;
}

static bool is_binary(LLVMValueRef value, LLVMOpcode opcode, uint64_t *right)
{
	if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != opcode ||
	    !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
		return false;
	*right = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
	return true;
}

/* The only instruction that uses a value; NULL: none or several. */
static LLVMValueRef only_user(LLVMValueRef value)
{
	LLVMUseRef use = LLVMGetFirstUse(value);

	return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static bool bits_of_store(LLVMValueRef store, uint32_t width, uint32_t *offset, uint32_t *size)
{
	LLVMValueRef value = LLVMGetOperand(store, 0);
	uint64_t kept;

	if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMOr)
		return false;
	if (!is_binary(LLVMGetOperand(value, 0), LLVMAnd, &kept))
		return false;
	return is_mask(~kept & (width >= 64 ? UINT64_MAX : (1ull << width) - 1), offset, size);
}

static bool bits_of_load(LLVMValueRef load, uint32_t width, uint32_t *offset, uint32_t *size)
{
	LLVMValueRef user = only_user(load), next;
	uint64_t first, second;

	if (!user)
		return false;
	next = only_user(user);
	if (is_binary(user, LLVMAnd, &first))
		return is_mask(first, offset, size);
	if (is_binary(user, LLVMLShr, &first)) {
		*offset = (uint32_t)first;
		if (next && is_binary(next, LLVMAnd, &second))
			return is_mask(second, &width, size) && !width;
		*size = width - *offset;
		return true;
	}
	if (is_binary(user, LLVMShl, &first) && next && is_binary(next, LLVMAShr, &second)) {
		*size = width - (uint32_t)second;
		*offset = (uint32_t)(second - first);
		return second >= first;
	}
	if (!is_binary(user, LLVMAShr, &first))
		return false;
	*offset = (uint32_t)first;
	*size = width - *offset;
	return true;
}

bool names_bits(LLVMValueRef instruction, uint32_t *offset, uint32_t *size)
{
	bool stores = LLVMIsAStoreInst(instruction);
	LLVMTypeRef type = LLVMTypeOf(stores ? LLVMGetOperand(instruction, 0) : instruction);
	uint32_t width;

	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		return false;
	width = LLVMGetIntTypeWidth(type);
	if (width > 64)
		return false;
	return stores ? bits_of_store(instruction, width, offset, size)
	              : bits_of_load(instruction, width, offset, size);
}

bool names_is_refill(LLVMValueRef load)
{
	LLVMValueRef keep = only_user(load), either = keep ? only_user(keep) : NULL;
	LLVMValueRef store = either ? only_user(either) : NULL;
	uint64_t mask;

	return store && is_binary(keep, LLVMAnd, &mask) &&
	       LLVMGetInstructionOpcode(either) == LLVMOr && LLVMIsAStoreInst(store) &&
	       LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0);
}

/* ------ parts of objects, when the code tells more than offset and size ------ */

/* Of a union's members the one that is a float, a pointer or an array of such elements. See ctype_part() for the rest. */

/* What is looked for. */
struct want {
	enum ctype_kind kind; /* float, pointer, array, or integer for all the others */
	uint64_t size;        /* 0: any */
	uint64_t element;     /* of an array */
};

static enum ctype_kind class_of(const struct ctype *type)
{
	switch (type->kind) {
	case CTYPE_FLOAT:
	case CTYPE_POINTER:
	case CTYPE_ARRAY: return type->kind;
	case CTYPE_BOOL:
	case CTYPE_CHAR:
	case CTYPE_INTEGER:
	case CTYPE_ENUM: return CTYPE_INTEGER;
	default: return CTYPE_UNKNOWN;
	}
}

static bool matches(const struct ctype *type, const struct want *want)
{
	const struct ctype *element = ctype_strip(type->target);

	if (class_of(type) != want->kind || (want->size && type->size != want->size))
		return false;
	return want->kind != CTYPE_ARRAY || (element && element->size == want->element);
}

static void cut_at_part(struct str *path, size_t length)
{
	path->length = length;
	if (path->text)
		path->text[length] = '\0';
}

static const struct ctype *find(const struct ctype *type, uint64_t offset, const struct want *want,
                                struct str *path);

static const struct ctype *find_member(const struct ctype *type, uint64_t offset,
                                       const struct want *want, struct str *path)
{
	size_t before = path->length;

	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct ctype_member *m = &type->members[i];
		const struct ctype *plain = ctype_strip(m->type), *found;
		uint64_t start = m->bit_offset / 8;

		if (m->bit_size || !plain || offset < start ||
		    (plain->size && offset - start >= plain->size))
			continue;
		if (m->name)
			str_printf(path, ".%s", m->name);
		found = find(plain, offset - start, want, path);
		if (found)
			return found;
		cut_at_part(path, before);
	}
	return NULL;
}

/* The outermost part at the offset that is what is wanted; NULL: none. Its path is appended. */
static const struct ctype *find(const struct ctype *type, uint64_t offset, const struct want *want,
                                struct str *path)
{
	const struct ctype *element, *found;
	size_t before = path->length;

	type = ctype_strip(type);
	if (!type)
		return NULL;
	if (!offset && matches(type, want))
		return type;
	if (type->kind == CTYPE_STRUCT || type->kind == CTYPE_UNION)
		return find_member(type, offset, want, path);
	element = type->kind == CTYPE_ARRAY ? ctype_strip(type->target) : NULL;
	if (!element || !element->size ||
	    (type->count != CTYPE_NO_COUNT && offset / element->size >= type->count))
		return NULL;
	str_printf(path, "[%llu]", (unsigned long long)(offset / element->size));
	found = find(element, offset % element->size, want, path);
	if (!found)
		cut_at_part(path, before);
	return found;
}

/* The outermost array at an offset that has `size` bytes (0: any number) and elements of
   `element` bytes; NULL: none, and nothing is appended to the path. */
static const struct ctype *names_find_array(const struct ctype *type, uint64_t offset,
                                            uint64_t size, uint64_t element, struct str *path)
{
	struct want want = {CTYPE_ARRAY, size, element};

	return find(type, offset, &want, path);
}

static enum ctype_kind class_of_code(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind: return CTYPE_FLOAT;
	case LLVMPointerTypeKind: return CTYPE_POINTER;
	case LLVMIntegerTypeKind: return CTYPE_INTEGER;
	default: return CTYPE_UNKNOWN;
	}
}

/* A part that ctype_part() found, but of another kind than what is loaded or stored: is there a
   better one? */
static void improve(const struct ctype *type, uint64_t offset, const struct names_use *use,
                    struct ctype_part *part, struct str *path)
{
	struct want want = {.size = use->size};
	const struct ctype *plain = ctype_strip(part->type), *found;
	struct str other = STR_INIT;

	if (!use->instruction || use->whole || part->bit_size || !plain)
		return;
	want.kind = class_of_code(LLVMTypeOf(LLVMIsAStoreInst(use->instruction)
	                                             ? LLVMGetOperand(use->instruction, 0)
	                                             : use->instruction));
	if (want.kind == CTYPE_UNKNOWN || class_of(plain) == want.kind)
		return;
	found = find(type, offset, &want, &other);
	if (found) {
		cut_at_part(path, 0);
		str_add(path, str_text(&other));
		*part = (struct ctype_part){.type = found, .offset = offset};
	}
	str_deinit(&other);
}

/* The bit-field that is meant. */
static bool find_bits(const struct ctype *type, uint64_t offset, const struct names_use *use,
                      struct ctype_part *part, struct str *path)
{
	uint32_t at, bits;

	cut_at_part(path, 0);
	if (!use->instruction || !names_bits(use->instruction, &at, &bits) ||
	    !ctype_part_bits(type, 8 * offset + at, bits, part, path))
		return false;
	part->bit_offset += (uint32_t)(8 * (part->offset - offset));
	return true;
}

/* The part itself, and what C writes behind the name of the object (`path` is empty before). */
static bool names_find_part(const struct ctype *type, uint64_t offset, const struct names_use *use,
                            struct ctype_part *part, struct str *path)
{
	if (!ctype_part(type, offset, use->size, use->whole ? CTYPE_WHOLE : CTYPE_SCALAR, part,
	                path))
		return false;
	if (part->bit_size && !find_bits(type, offset, use, part, path))
		return false;
	improve(type, offset, use, part, path);
	part->offset = 0;
	return true;
}

/* ------ names from the code of a pointer ------ */

/* Clang's code at -O0 keeps the shape of the source: a variable is an alloca or global, a pointer is loaded before it is used, and each `.x`, `->x`, `[i]` is a getelementptr. So the pointer is followed back to a variable, and the name is built on the way forward. Field names come from debug information by offset. */

#define DEEPEST 32 /* loads and steps between a variable and the place */
#define FAR     16 /* elements that a pointer may have been moved since it was loaded */

/* What is known on the way: an expression, and how far behind it the place lies. */
struct way {
	struct str text;
	const struct ctype *type;  /* of the expression, or of what it points to */
	bool pointer;              /* the expression is a pointer, the place lies behind it */
	int64_t offset;            /* bytes */
	const struct ctype *array; /* that the index is of; NULL: of a pointer */
	bool indexed;              /* the text ends in [index], put at `index_at` */
	size_t index_at;
	int64_t index;
};

static bool follow(struct names *n, const struct activation *a, LLVMValueRef pointer,
                   unsigned depth, struct way *way);

static uint64_t size_of(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type);

	return plain ? plain->size : 0;
}

/* --- text --- */

static void cut(struct str *text, size_t length)
{
	text->length = length;
	if (text->text)
		text->text[length] = '\0';
}

/* What binds tighter than a star needs parentheses around it. */
static void protect(struct str *text)
{
	char *inner;

	if (*str_text(text) != '*')
		return;
	inner = str_steal(text);
	str_printf(text, "(%s)", inner);
	free(inner);
}

/* Appends a path to the name of an object, or of a pointer to it. */
static void append(struct str *text, const char *path, bool arrow)
{
	char *inner;

	if (arrow && *path != '.') {
		inner = str_steal(text);
		str_printf(text, *path ? "(*%s)%s" : "*%s%s", inner, path);
		free(inner);
		return;
	}
	if (*path)
		protect(text);
	str_add(text, arrow ? "->" : "");
	str_add(text, arrow ? path + 1 : path);
}

static void put_index(struct way *way, int64_t index)
{
	protect(&way->text);
	way->indexed = true;
	way->array = NULL;
	way->index_at = way->text.length;
	way->index = index;
	str_printf(&way->text, "[%lld]", (long long)index);
}

/* The part of an object that is used, appended to what C calls the object: `part` counts from the
   place. `arrow`: the text is a pointer to the object. */
static bool names_add_part(const struct ctype *type, uint64_t offset, const struct names_use *use,
                           bool arrow, struct str *text, struct ctype_part *part)
{
	struct str path = STR_INIT;
	bool found = names_find_part(type, offset, use, part, &path);

	if (found)
		append(text, str_text(&path), arrow);
	str_deinit(&path);
	return found;
}

/* --- steps --- */

/* From an element to another. What was a pointer is one again when it comes back to it. */
static void move_index(struct way *way, int64_t count)
{
	const struct ctype *array = way->array;

	cut(&way->text, way->index_at);
	if (!array && way->index + count == 0) {
		way->pointer = true;
		way->indexed = false;
		return;
	}
	put_index(way, way->index + count);
	way->array = array;
}

/* From elements of `size` bytes to the one that is `count` further on. */
static void step_over(struct way *way, int64_t count, uint64_t size)
{
	const struct ctype *plain = ctype_strip(way->type);

	if (!way->offset && way->pointer && size_of(way->type) == size) {
		way->pointer = false;
		put_index(way, count);
	} else if (!way->offset && way->indexed && size_of(way->type) == size) {
		move_index(way, count);
	} else if (!way->offset && !way->pointer && plain && plain->kind == CTYPE_ARRAY &&
	           size_of(plain->target) == size) {
		way->type = plain->target;
		put_index(way, count);
		way->array = plain;
	} else {
		way->offset += count * (int64_t)size;
	}
}

/* Into an array. */
static void step_into(struct way *way, int64_t index, uint64_t total, uint64_t size)
{
	struct str path = STR_INIT;
	const struct ctype *array = NULL;

	if (way->offset >= 0)
		array = names_find_array(way->type, (uint64_t)way->offset, total, size, &path);
	if (array) {
		append(&way->text, str_text(&path), way->pointer);
		way->pointer = false;
		way->type = array->target;
		way->offset = 0;
		put_index(way, index);
		way->array = array;
	} else {
		way->offset += index * (int64_t)size;
	}
	str_deinit(&path);
}

static bool index_value(struct names *n, const struct activation *a, LLVMValueRef index,
                        int64_t *out)
{
	const struct code_slot *slot;
	unsigned bits;

	if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
		return false;
	bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
	slot = bits <= 64 ? names_slot(n, a, index) : NULL;
	if (!slot || slot->undefined)
		return false;
	*out = (int64_t)(slot->bits << (64 - bits)) >> (64 - bits);
	return true;
}

static bool step(struct names *n, const struct activation *a, LLVMValueRef gep, struct way *way)
{
	const struct plan *plan =
		walk_program(execution_walk(n->e))->modules.at[a->function->place.module].plan;
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep), element;
	int count = LLVMGetNumOperands(gep);
	int64_t index;

	if (!index_value(n, a, LLVMGetOperand(gep, 1), &index))
		return false;
	if (index || count == 2)
		step_over(way, index, LLVMABISizeOfType(plan->layout, type));
	for (int i = 2; i < count; i++) {
		if (!index_value(n, a, LLVMGetOperand(gep, (unsigned)i), &index))
			return false;
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			way->offset +=
				(int64_t)LLVMOffsetOfElement(plan->layout, type, (unsigned)index);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
			continue;
		}
		element = LLVMGetElementType(type);
		step_into(way, index, LLVMABISizeOfType(plan->layout, type),
		          LLVMABISizeOfType(plan->layout, element));
		type = element;
	}
	return true;
}

/* --- pointers --- */

/* Was the pointer read by the statement that is described, and then overwritten by it? */
static bool was_overwritten(struct names *n, const struct activation *a, LLVMValueRef load,
                            uint64_t address)
{
	uint32_t index = names_index(n, a->function, load);

	return a == names_top(n, 0) && index != UINT32_MAX && index >= n->first &&
	       address < n->written + n->written_size && n->written < address + 8;
}

/* The pointer that was loaded may have been moved since: then the place is named from where it is
   now. */
static bool adjust(struct names *n, const struct activation *a, LLVMValueRef load, uint64_t address,
                   struct way *way)
{
	uint64_t loaded = names_slot(n, a, load)->bits, size = size_of(way->type);
	struct memory_value now = memory_load(execution_memory(n->e), address, 8);
	int64_t distance = (int64_t)(loaded - now.bits), count;

	if (now.bits == loaded || was_overwritten(n, a, load, address))
		return true;
	if (!size || distance % (int64_t)size)
		return false;
	count = distance / (int64_t)size;
	if (count > FAR || count < -FAR)
		return false;
	if (count != 1 && count != -1 &&
	    execution_object_at(n->e, loaded) != execution_object_at(n->e, now.bits))
		return false;
	way->pointer = false;
	put_index(way, count);
	return true;
}

/* The pointer was loaded from a place that has a name. */
static bool follow_load(struct names *n, const struct activation *a, LLVMValueRef load,
                        unsigned depth, struct way *way)
{
	LLVMValueRef from = LLVMGetOperand(load, 0);
	const struct code_slot *address = names_slot(n, a, from);
	struct names_use use = {.size = 8, .instruction = load};
	struct ctype_part part;
	const struct variable *variable;
	uint64_t at;

	if (!address || !names_slot(n, a, load))
		return false;
	at = address->bits;
	variable = LLVMIsAAllocaInst(from) ? names_variable(n, a, from) : NULL;
	if (variable && variable->indirect) {
		str_add(&way->text, variable->name);
		way->type = variable->type;
		return true;
	}
	if (!follow(n, a, from, depth + 1, way) || way->offset < 0 ||
	    !names_add_part(way->type, (uint64_t)way->offset, &use, way->pointer, &way->text,
	                    &part))
		return false;
	part.type = ctype_strip(part.type);
	if (!part.type || part.type->kind != CTYPE_POINTER)
		return false;
	way->type = part.type->target;
	way->pointer = true;
	way->indexed = false;
	way->offset = 0;
	return adjust(n, a, load, at, way);
}

/* --- variables --- */

/* A global of another file: its own module knows what it is. */
static const struct variable *elsewhere(struct names *n, const struct activation *a,
                                        LLVMValueRef global)
{
	const struct program *program = walk_program(execution_walk(n->e));
	const struct code_slot *slot = names_slot(n, a, global);
	uint32_t number = slot ? execution_object_at(n->e, slot->bits) : 0;
	const struct object *o = number ? objects_at(execution_objects(n->e), number) : NULL;

	if (!o || o->kind != OBJECT_GLOBAL || o->address != slot->bits)
		return NULL;
	return variables_of_global(names_variables(n, o->owner),
	                           program->modules.at[o->owner].plan->globals.at[o->index]);
}

/* The variable in an alloca or parameter of `a`, or a global of its module; NULL: none. */
static const struct variable *names_variable(struct names *n, const struct activation *a,
                                             LLVMValueRef storage)
{
	const struct variables *variables = names_variables(n, a->function->place.module);

	if (!LLVMIsAGlobalVariable(storage))
		return variables_of_alloca(variables, storage);
	return LLVMIsDeclaration(storage) ? elsewhere(n, a, storage)
	                                  : variables_of_global(variables, storage);
}

static bool follow_variable(struct names *n, const struct activation *a, LLVMValueRef storage,
                            struct way *way)
{
	const struct variable *variable = names_variable(n, a, storage);

	if (!variable || variable->indirect || variable->also)
		return false;
	str_add(&way->text, variable->name);
	way->type = variable->type;
	return true;
}

/* The address of a variable of the thread comes from an intrinsic. */
static bool is_thread_address(LLVMValueRef call)
{
	const char *intrinsic = ir_intrinsic(call);

	return intrinsic && !strncmp(intrinsic, "threadlocal.address", 19);
}

/* errno is a macro that calls for its address. */
static bool follow_errno(LLVMValueRef call, struct way *way)
{
	static const struct ctype type = {
		.kind = CTYPE_INTEGER, .is_signed = true, .name = "int", .size = 4};
	LLVMValueRef callee = ir_callee(call);
	size_t length;

	if (!callee || strcmp(LLVMGetValueName2(callee, &length), "__errno_location"))
		return false;
	str_add(&way->text, "errno");
	way->type = &type;
	return true;
}

static bool follow(struct names *n, const struct activation *a, LLVMValueRef pointer,
                   unsigned depth, struct way *way)
{
	if (depth > DEEPEST)
		return false;
	if (LLVMIsAAllocaInst(pointer) || LLVMIsAArgument(pointer) ||
	    LLVMIsAGlobalVariable(pointer))
		return follow_variable(n, a, pointer, way);
	if (LLVMIsAGetElementPtrInst(pointer) ||
	    (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
		return follow(n, a, LLVMGetOperand(pointer, 0), depth + 1, way) &&
		       step(n, a, pointer, way);
	if (LLVMIsALoadInst(pointer))
		return follow_load(n, a, pointer, depth, way);
	if (LLVMIsACallInst(pointer) && is_thread_address(pointer))
		return follow(n, a, LLVMGetOperand(pointer, 0), depth + 1, way);
	if (LLVMIsACallInst(pointer))
		return follow_errno(pointer, way);
	return false;
}

/* --- the whole --- */

/* Several elements: `p[0..4]`, or the whole array. */
static bool finish_range(struct names *n, struct way *way, const struct names_use *use,
                         struct name *out)
{
	const struct ctype *element = ctype_strip(way->type);
	int64_t first = way->indexed ? way->index : 0;
	struct ctype *array;
	uint64_t count;

	if (!use->whole || way->offset || !(way->pointer || way->indexed) || !element ||
	    !element->size || use->size <= element->size || use->size % element->size)
		return false;
	count = use->size / element->size;
	if (way->indexed)
		cut(&way->text, way->index_at);
	protect(&way->text);
	if (!way->array || first || way->array->count != count)
		str_printf(&way->text, "[%lld..%lld]", (long long)first,
		           (long long)(first + (int64_t)count - 1));
	array = &n->ranges[n->next_range++ % NAMES_RANGES];
	*array = (struct ctype){
		.kind = CTYPE_ARRAY, .target = way->type, .count = count, .size = use->size};
	out->part = (struct ctype_part){.type = array};
	return true;
}

static bool finish(struct way *way, const struct names_use *use, struct name *out)
{
	uint64_t size = size_of(way->type);
	int64_t offset = way->offset;

	/* Behind the end of what the pointer's type tells: one of several elements. */
	if (size && (offset < 0 || (uint64_t)offset >= size) && (way->pointer || way->indexed)) {
		int64_t count = offset / (int64_t)size - (offset % (int64_t)size < 0);

		way->offset = 0;
		step_over(way, count, size);
		offset -= count * (int64_t)size;
	}
	return offset >= 0 && names_add_part(way->type, (uint64_t)offset, use, way->pointer,
	                                     &way->text, &out->part);
}

static bool name_code(struct names *n, const struct activation *a, LLVMValueRef pointer,
                      const struct names_use *use, struct name *out)
{
	struct way way = {.text = STR_INIT};

	if (!follow(n, a, pointer, 0, &way) ||
	    (!finish_range(n, &way, use, out) && !finish(&way, use, out))) {
		str_deinit(&way.text);
		return false;
	}
	out->text = way.text;
	out->size = use->size;
	out->known = true;
	return true;
}

void names_of_pointer(struct names *n, const struct activation *a, LLVMValueRef pointer,
                      const struct names_use *use, struct name *out)
{
	const struct code_slot *slot = names_slot(n, a, pointer);
	uint64_t address = slot ? slot->bits : 0;
	size_t length;

	if (name_code(n, a, pointer, use, out)) {
		out->address = address;
		return;
	}
	names_of_address(n, address, use, out);
	/* A variable of outside code, such as stdin: only the linker knows it. */
	if (!out->known && LLVMIsAGlobalVariable(pointer) && LLVMIsDeclaration(pointer)) {
		str_deinit(&out->text);
		str_add(&out->text, LLVMGetValueName2(pointer, &length));
		out->known = true;
	}
}

const struct ctype *names_pointee(struct names *n, const struct activation *a, LLVMValueRef pointer)
{
	struct way way = {.text = STR_INIT};
	const struct ctype *type = NULL;
	struct ctype_part part;

	if (follow(n, a, pointer, 0, &way)) {
		type = way.type;
		if (way.offset)
			type = way.offset > 0 && ctype_part(type, (uint64_t)way.offset, 0,
			                                    CTYPE_WHOLE, &part, NULL)
			               ? part.type
			               : NULL;
	}
	str_deinit(&way.text);
	return type;
}

/* ------ the whole ------ */

#define MOST_TEXT 40u /* bytes of a text that are shown */

void name_deinit(struct name *name)
{
	str_deinit(&name->text);
	memset(name, 0, sizeof(*name));
}

bool name_belongs(const char *text, const char *of)
{
	size_t length = strlen(of);

	text += strspn(text, "(*");
	if (strncmp(text, of, length))
		return false;
	return !text[length] || strchr(".[)", text[length]) || !strncmp(text + length, "->", 2);
}

struct names *names_create(struct execution *execution)
{
	struct names *n = mem_alloc(sizeof(*n));

	n->e = execution;
	return n;
}

void names_move(struct names *n, struct execution *execution)
{
	n->e = execution;
}

struct decoding {
	const struct execution_options *options;
	struct names **names;
};

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	const struct decoding *d = context;

	d->options->statement(d->options->context, e, event, number);
}

static void on_moved(void *context, struct execution *e)
{
	const struct decoding *d = context;

	if (*d->names)
		names_move(*d->names, e);
	else
		*d->names = names_create(e);
}

struct hence_error *names_visit(const struct recording *run, const uint64_t *times, uint32_t count,
                                const struct execution_options *options, struct names **names,
                                void (*ended)(void *context, struct execution *e))
{
	struct decoding d = {options, names};
	struct execution_options how = *options;
	struct hence_error *error;
	struct execution *e;

	assert(!options->wrote);
	how.statement = on_statement;
	how.context = &d;
	*names = NULL;
	error = history_visit(run, times, count, &how, on_moved, &e);
	if (!error && ended)
		ended(options->context, e);
	names_destroy(*names);
	execution_destroy(e);
	return error;
}

void names_destroy(struct names *n)
{
	if (!n)
		return;
	map_each(&n->values, i)
	{
		slot_map_deinit(n->values.at[i].value);
		free(n->values.at[i].value);
	}
	values_map_deinit(&n->values);
	life_map_deinit(&n->lives);
	vec_deinit(&n->given);
	free(n);
}

struct execution *names_execution(const struct names *n)
{
	return n->e;
}

/* --- modules --- */

const struct variables *names_variables(struct names *n, uint32_t module)
{
	const struct program *program = walk_program(execution_walk(n->e));
	const struct plan *plan = program->modules.at[module].plan;

	return plan ? modules_variables(program->source, plan) : NULL;
}

struct types *names_types(struct names *n, uint32_t module)
{
	const struct program *program = walk_program(execution_walk(n->e));
	const struct plan *plan = program->modules.at[module].plan;

	return plan ? modules_types(program->source, plan) : NULL;
}

/* --- values --- */

/* Numbers of the instructions of a function, and of its parameters behind them. */
static struct slot_map *values_of(struct names *n, const struct code_function *f)
{
	struct slot_map **map = values_map_put(&n->values, (uintptr_t)f);

	if (*map)
		return *map;
	*map = mem_alloc(sizeof(**map));
	for (uint32_t i = 0; i < f->size; i++)
		*slot_map_put(*map, (uintptr_t)f->instructions[i]) = i;
	for (uint32_t i = 0; i < f->parameter_count; i++)
		*slot_map_put(*map, (uintptr_t)LLVMGetParam(f->plan->function, i)) = f->size + i;
	return *map;
}

static const struct program_module *program_module(const struct names *n,
                                                   const struct activation *a)
{
	return &walk_program(execution_walk(n->e))->modules.at[a->function->place.module];
}

/* The address of a constant: a variable, a function, or a place in one. */
static const struct code_slot *constant(struct names *n, const struct activation *a,
                                        LLVMValueRef value)
{
	const struct program_module *module = program_module(n, a);
	const uint64_t *address;
	int64_t offset = 0, step;

	while (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr) {
		if (!ir_constant_offset(module->plan->layout, value, &step))
			return NULL;
		offset += step;
		value = LLVMGetOperand(value, 0);
	}
	address = value_map_find(&module->values, (uintptr_t)value);
	if (!address)
		return NULL;
	n->constant = (struct code_slot){.bits = *address + (uint64_t)offset};
	return &n->constant;
}

const struct code_slot *names_slot(struct names *n, const struct activation *a, LLVMValueRef value)
{
	const struct code_function *f = a->function;
	const uint32_t *index;

	if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
		n->constant = (struct code_slot){.bits = LLVMConstIntGetZExtValue(value)};
		return &n->constant;
	}
	if (LLVMIsConstant(value) && LLVMIsNull(value)) {
		n->constant = (struct code_slot){.bits = 0};
		return &n->constant;
	}
	if (LLVMIsConstant(value))
		return constant(n, a, value);
	index = slot_map_find(values_of(n, f), (uintptr_t)value);
	if (!index)
		return NULL;
	if (*index >= f->size)
		return execution_slot(n->e, a, f->parameters[*index - f->size].slot << 1);
	return f->insns[*index].words ? execution_slot(n->e, a, f->insns[*index].to << 1) : NULL;
}

uint32_t names_index(struct names *n, const struct code_function *f, LLVMValueRef instruction)
{
	const uint32_t *index = slot_map_find(values_of(n, f), (uintptr_t)instruction);

	return index ? *index : UINT32_MAX;
}

void names_at(struct names *n, uint32_t depth, uint32_t first, uint64_t written, uint64_t size)
{
	n->depth = depth;
	n->first = first;
	n->written = written;
	n->written_size = size;
}

/* --- printing --- */

bool names_print_text(struct names *n, uint64_t address, size_t limit, struct str *out)
{
	uint8_t bytes[256];
	uint64_t known;
	const uint8_t *end;

	if (address < 4096)
		return false;
	known = memory_read(execution_memory(n->e), address, sizeof(bytes), bytes);
	end = memchr(bytes, 0, known);
	if (!end && known < sizeof(bytes))
		return false;
	known = end ? (uint64_t)(end - bytes) + 1 : known;
	if (memory_find_undefined(execution_memory(n->e), address, known) < known)
		return false;
	ctype_print_text(bytes, end ? (size_t)(end - bytes) : known, limit, out);
	return true;
}

/* The variable that a pointer points to, or a part of it. A pointer to the end of an array belongs
   to the array, not to what lies behind it. */
static void name_variable(struct names *n, const struct ctype *type, uint64_t address,
                          uint32_t object, struct str *out)
{
	struct names_use use = {.size = type->size, .whole = true};
	struct name name = {0};

	if (!object || execution_object_at(n->e, address) != object ||
	    !names_find_variable(n, address, &use, &name))
		return;
	str_printf(out, " <%s>", str_text(&name.text));
	name_deinit(&name);
}

/* What a pointer tells about what it points to: text, or the name of a function or variable. */
static void add_target(struct names *n, const struct ctype *type, uint64_t address, uint32_t object,
                       size_t limit, struct str *out)
{
	const struct program *program = walk_program(execution_walk(n->e));
	const struct program_place *place;
	size_t before = out->length;

	type = ctype_strip(type);
	type = type && type->kind == CTYPE_POINTER ? ctype_strip(type->target) : NULL;
	if (!type || !address)
		return;
	if (type->kind == CTYPE_FUNCTION) {
		place = program_at(program, address);
		if (place)
			str_printf(out, " <%s>", program_function(program, *place)->name);
	} else if (type->kind == CTYPE_CHAR && type->name && !strcmp(type->name, "char")) {
		str_add_char(out, ' ');
		if (!names_print_text(n, address, limit, out)) {
			out->length = before;
			out->text[before] = '\0';
		}
	} else {
		name_variable(n, type, address, object, out);
	}
}

void names_say_targets(struct names *n)
{
	n->targets = true;
}

static bool is_heap(const struct names *n, uint64_t address)
{
	uint32_t number = execution_object_at(n->e, address);

	return number && objects_at(execution_objects(n->e), number)->kind == OBJECT_HEAP;
}

void names_print(struct names *n, const struct ctype_part *part, const uint8_t *bytes,
                 const uint8_t *undefined, uint64_t size, uint32_t object, size_t limit,
                 struct str *out)
{
	uint64_t value = 0;
	size_t before;

	if (!part->type && size <= 8) {
		memcpy(&value, bytes, size);
		for (uint64_t i = 0; undefined && i < size; i++)
			if (undefined[i]) {
				str_add_char(out, '?');
				return;
			}
		ctype_print_raw(value, size, out);
		return;
	}
	before = out->length;
	ctype_print_part(part, bytes, undefined, size, limit, out);
	if (size != 8 || out->text[before] == '?')
		return;
	memcpy(&value, bytes, 8);
	add_target(n, part->type, value, object, limit && limit < MOST_TEXT ? limit : MOST_TEXT,
	           out);
	if (n->targets) {
		const struct ctype *type = part->type;
		const char *target = strchr(out->text + before, ' ');
		struct name name = {0};
		char *kept;

		/* Takes the address away that the target is printed behind: `0x1234 <x>` is &x, of a function x, of a text only the
		   text. */
		type = ctype_strip(type);
		if (!type || type->kind != CTYPE_POINTER || !value)
			return;
		type = ctype_strip(type->target);
		if (target && target[1] == '<')
			kept = str_format("%s%.*s", type && type->kind == CTYPE_FUNCTION ? "" : "&",
			                  (int)strlen(target) - 3, target + 2);
		else if (target)
			kept = mem_strdup(target + 1);
		else if (is_heap(n, value))
			kept = mem_strdup("a heap block");
		else if (names_find_variable(n, value, &(struct names_use){.whole = true}, &name))
			kept = str_format("&%s", str_text(&name.text));
		else
			return;
		name_deinit(&name);
		out->length = before;
		str_add(out, kept);
		free(kept);
	}
}

/* --- places --- */

struct walk_place names_place(struct names *n, uint32_t code)
{
	return execution_place(n->e, code);
}

/* --- where heap blocks come from --- */

static void note_deaths(struct names *n, const struct activation *a, const struct code_insn *insn,
                        uint32_t code)
{
	const struct objects *objects = execution_objects(n->e);
	const struct code_call *call = insn->more;

	for (uint32_t i = 0; i < call->count; i++) {
		const struct code_slot *slot = execution_slot(n->e, a, call->arguments[i].operand);
		struct names_life *life;

		if (!slot || !slot->object || slot->object > objects->all.size)
			continue;
		if (!objects_at(objects, slot->object)->death)
			continue;
		life = life_map_find(&n->lives, slot->object);
		if (life && !life->death)
			life->death = code + 1;
	}
}

void names_follow(struct names *n)
{
	const struct activation *a = execution_top(n->e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	uint32_t code = a->function->first + a->pc - 1;
	const struct objects *objects;

	if (execution_whole(n->e))
		return;
	objects = execution_objects(n->e);
	for (; n->objects_seen < objects->all.size; n->objects_seen++)
		if (objects->all.at[n->objects_seen].kind == OBJECT_HEAP)
			life_map_put(&n->lives, n->objects_seen + 1)->birth = code + 1;
	if (insn->op == CODE_CALL)
		note_deaths(n, a, insn, code);
}
