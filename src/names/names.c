/* Names of places in memory: see names.h. How they are found is in code.c (from the code of a
   pointer), address.c and search.c. Here is what both need. */
#include "names/names.h"

#include <assert.h>
#include <string.h>

#include "names/work.h"

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

struct hence_error *names_decode(const struct recording *run,
                                 const struct execution_options *options, struct names **names)
{
	struct execution *e;
	struct hence_error *error =
		execution_create(run->modules, run->folder, run->tape, options, &e);

	if (error)
		return error;
	*names = names_create(e);
	error = execution_run(e, run->death);
	names_destroy(*names);
	execution_destroy(e);
	return error;
}

void names_destroy(struct names *n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < n->modules.size; i++) {
		variables_destroy(n->modules.at[i].variables);
		types_destroy(n->modules.at[i].types);
	}
	map_each(&n->values, i)
	{
		slot_map_deinit(n->values.at[i].value);
		free(n->values.at[i].value);
	}
	values_map_deinit(&n->values);
	life_map_deinit(&n->lives);
	vec_deinit(&n->modules);
	vec_deinit(&n->given);
	free(n);
}

struct execution *names_execution(const struct names *n)
{
	return n->e;
}

/* --- modules --- */

static struct names_module *module_of(struct names *n, uint32_t module)
{
	const struct program *program = walk_program(execution_walk(n->e));
	struct names_module *m;

	while (n->modules.size <= module)
		vec_push(&n->modules);
	m = &n->modules.at[module];
	if (!m->types && program->modules.at[module].plan) {
		m->types = types_create(program->modules.at[module].plan->module);
		m->variables = variables_create(m->types);
	}
	return m;
}

const struct variables *names_variables(struct names *n, uint32_t module)
{
	return module_of(n, module)->variables;
}

struct types *names_types(struct names *n, uint32_t module)
{
	return module_of(n, module)->types;
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

uint32_t names_depth(const struct names *n)
{
	return n->depth;
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
static void add_variable(struct names *n, const struct ctype *type, uint64_t address,
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
		add_variable(n, type, address, object, out);
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

/* Takes the address away that the target is printed behind: `0x1234 <x>` is &x, of a function x, of a text only the
   text. */
static void keep_target(struct names *n, const struct ctype *type, uint64_t address, size_t before,
                        struct str *out)
{
	const char *target = strchr(out->text + before, ' ');
	struct name name = {0};
	char *kept;

	type = ctype_strip(type);
	if (!type || type->kind != CTYPE_POINTER || !address)
		return;
	type = ctype_strip(type->target);
	if (target && target[1] == '<')
		kept = str_format("%s%.*s", type && type->kind == CTYPE_FUNCTION ? "" : "&",
		                  (int)strlen(target) - 3, target + 2);
	else if (target)
		kept = mem_strdup(target + 1);
	else if (is_heap(n, address))
		kept = mem_strdup("a heap block");
	else if (names_find_variable(n, address, &(struct names_use){.whole = true}, &name))
		kept = str_format("&%s", str_text(&name.text));
	else
		return;
	name_deinit(&name);
	out->length = before;
	str_add(out, kept);
	free(kept);
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
	if (n->targets)
		keep_target(n, part->type, value, before, out);
}

/* --- places --- */

struct walk_place names_place(struct names *n, uint32_t code)
{
	const struct code_function *f = code_of(execution_code_table(n->e), code);
	LLVMValueRef instruction = f->instructions[code - f->first];
	struct walk_place place = {.function = f->plan->name};
	unsigned length;

	if (!LLVMInstructionGetDebugLoc(instruction))
		return place;
	place.file = LLVMGetDebugLocFilename(instruction, &length);
	place.line = LLVMGetDebugLocLine(instruction);
	place.column = LLVMGetDebugLocColumn(instruction);
	return place;
}

/* --- where heap blocks come from --- */

static void note_births(struct names *n, uint32_t code)
{
	const struct objects *objects = execution_objects(n->e);

	for (; n->objects_seen < objects->all.size; n->objects_seen++)
		if (objects->all.at[n->objects_seen].kind == OBJECT_HEAP)
			life_map_put(&n->lives, n->objects_seen + 1)->birth = code + 1;
}

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

	note_births(n, code);
	if (insn->op == CODE_CALL)
		note_deaths(n, a, insn, code);
}
