/* Names by address: variables of functions under way, globals, what the program was given. Heap
   blocks are found by search.c; see names.h. */
#include <string.h>

#include "names/work.h"

#define MOST_GIVEN 4096u /* strings of argv and environ */

/* --- variables --- */

static bool holds(uint64_t address, uint64_t start, uint64_t size)
{
	return address >= start && address - start < size;
}

void names_qualify(const struct names *n, const struct activation *a, struct name *out)
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

/* A string literal: its text, and the index of the character. */
static bool in_literal(struct names *n, const struct object *o, LLVMValueRef global,
                       uint64_t address, const struct names_use *use, struct name *out)
{
	if (LLVMGetLinkage(global) != LLVMPrivateLinkage || !LLVMIsGlobalConstant(global) ||
	    !names_print_text(n, o->address, 24, &out->text))
		return false;
	str_printf(&out->text, "[%llu]", (unsigned long long)(address - o->address));
	set_char(use, out);
	return true;
}

static bool in_global(struct names *n, const struct object *o, uint64_t address,
                      const struct names_use *use, struct name *out)
{
	const struct program *program = walk_program(execution_walk(n->e));
	LLVMValueRef global = program->modules.at[o->owner].plan->globals.at[o->index];
	const struct variable *variable = variables_of_global(names_variables(n, o->owner), global);
	const struct activation *top = names_top(n, 0);
	const char *function = variable && variable->scope ? variable->scope->function_name : NULL;

	if (!variable)
		return in_literal(n, o, global, address, use, out);
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

static uint64_t read_word(struct names *n, uint64_t address)
{
	return memory_load(execution_memory(n->e), address, 8).bits;
}

static void add_strings(struct names *n, uint64_t array, uint64_t count, bool environment)
{
	struct memory *memory = execution_memory(n->e);

	for (uint32_t i = 0; array && i < count && i < MOST_GIVEN; i++) {
		uint64_t start = read_word(n, array + 8 * i), end = start;
		struct names_given *given;

		if (!start)
			break;
		while (end - start < 1 << 20 && memory_load(memory, end, 1).bits)
			end++;
		given = vec_push(&n->given);
		*given = (struct names_given){start, end + 1 - start, i, environment};
	}
}

static void name_environment(struct names *n, const struct names_given *given, uint64_t address,
                             struct name *out)
{
	uint8_t text[256] = {0};
	uint64_t at = address - given->address;
	char *equals;

	memory_read(execution_memory(n->e), given->address, sizeof(text) - 1, text);
	equals = strchr((char *)text, '=');
	if (!equals || (int64_t)at <= equals - (char *)text)
		str_printf(&out->text, "environ[%u][%llu]", given->index, (unsigned long long)at);
	else
		str_printf(&out->text, "getenv(\"%.*s\")[%llu]", (int)(equals - (char *)text), text,
		           (unsigned long long)(at - 1 - (uint64_t)(equals - (char *)text)));
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
		if (given->environment)
			name_environment(n, given, address, out);
		else
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

/* Where nothing better is known. */
static void describe(struct names *n, uint32_t object, struct name *out)
{
	const struct object *o = object ? objects_at(execution_objects(n->e), object) : NULL;
	const struct names_life *life = object ? life_map_find(&n->lives, object) : NULL;

	if (o && o->kind == OBJECT_HEAP) {
		str_printf(&out->text, "heap block of %llu bytes", (unsigned long long)o->size);
		if (life && life->birth) {
			str_add(&out->text, " from ");
			add_short_place(n, life->birth - 1, &out->text);
		}
		str_printf(&out->text, ", byte %llu",
		           (unsigned long long)(out->address - o->address));
	} else if (out->address < 4096) {
		str_printf(&out->text, "*(%#llx)", (unsigned long long)out->address);
	} else {
		str_printf(&out->text, "memory at %#llx", (unsigned long long)out->address);
	}
}

void names_of_address(struct names *n, uint64_t address, const struct names_use *use,
                      struct name *out)
{
	uint32_t object = execution_object_at(n->e, address);

	out->address = address;
	out->size = use->size;
	if (names_find_variable(n, address, use, out))
		return;
	if (object && objects_at(execution_objects(n->e), object)->kind == OBJECT_HEAP &&
	    names_search(n, address, object, use, out))
		return;
	describe(n, object, out);
}

/* --- objects, dead ones too --- */

static const struct variable *variable_of_local(struct names *n, const struct object *o,
                                                const struct code_function **function)
{
	uint32_t count;
	const struct execution_frame *frames = execution_frames(n->e, &count);
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
	const struct names_life *life = life_map_find(&n->lives, number);

	str_printf(out, "a heap block of %llu bytes", (unsigned long long)o->size);
	if (!life || !life->birth)
		return;
	str_add(out, " (allocated at ");
	add_short_place(n, life->birth - 1, out);
	if (end && life->death) {
		str_add(out, ", freed at ");
		add_short_place(n, life->death - 1, out);
	}
	str_add_char(out, ')');
}

static void print_given(const struct object *o, struct str *out)
{
	str_add(out, o->owner ? "environ" : "argv");
	if (o->index != OBJECT_ARRAY)
		str_printf(out, "[%u]", o->index);
	str_printf(out, " (%llu bytes)", (unsigned long long)o->size);
}

/* NULL: it is none. `function`: that it is local to; NULL: it is not. */
static const struct variable *variable_of_object(struct names *n, const struct object *o,
                                                 const struct code_function **function)
{
	const struct program *program = walk_program(execution_walk(n->e));

	*function = NULL;
	if (o->kind == OBJECT_HEAP || o->kind == OBJECT_GIVEN)
		return NULL;
	if (o->kind != OBJECT_GLOBAL)
		return variable_of_local(n, o, function);
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
		print_given(o, out);
		return;
	}
	variable = variable_of_object(n, o, &function);
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
	const struct object *o = objects_at(execution_objects(n->e), number);
	const struct code_function *function;
	const struct variable *variable = variable_of_object(n, o, &function);
	const struct names_life *life =
		o->kind == OBJECT_HEAP ? life_map_find(&n->lives, number) : NULL;

	*out = (struct names_object){0};
	if (variable) {
		out->name = variable->name;
		out->declared =
			(struct walk_place){.function = function ? function->plan->name : NULL,
		                            .file = variable->file,
		                            .line = variable->line,
		                            .column = variable->column};
	}
	if (life && life->birth)
		out->allocated = names_place(n, life->birth - 1);
	if (life && life->death)
		out->freed = names_place(n, life->death - 1);
}
