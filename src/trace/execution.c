/* Decodes a tape: follows a walk and evaluates. See execution.h; the parts are in execute*.c. */
#include <string.h>

#include "trace/constants.h"
#include "trace/executor.h"

void executor_fail(struct execution *e, struct hence_error *error)
{
	if (e->failure)
		error_destroy(error);
	else
		e->failure = error;
	walk_halt(e->walk);
}

/* --- memory at birth --- */

/* What an object's bytes are on a page when both come together. */
static void begin_on_page(struct memory_page *page, const struct object *o)
{
	uint64_t start = o->address > page->address ? o->address : page->address;
	uint64_t end = o->address + o->size;
	bool undefined = o->kind == OBJECT_HEAP && !o->zeroed;
	uint32_t source = undefined                ? SOURCE_UNDEFINED
	                  : o->kind == OBJECT_HEAP ? o->birth
	                                           : SOURCE_INITIAL;

	if (end > page->address + MEMORY_PAGE)
		end = page->address + MEMORY_PAGE;
	for (uint64_t at = start; at < end; at++) {
		uint32_t k = (uint32_t)(at - page->address);

		page->bytes[k] = 0;
		page->undefined[k] = undefined ? 0xff : 0;
		page->source[k] = source;
		page->object[k / MEMORY_WORD] = 0;
	}
}

static void fresh_page(void *context, struct memory_page *page)
{
	struct execution *e = context;
	uint64_t at = page->address, end = at + MEMORY_PAGE;
	uint32_t number;

	while (at < end && (number = objects_next(&e->objects, at))) {
		const struct object *o = objects_at(&e->objects, number);

		if (o->address >= end)
			break;
		if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_HEAP)
			begin_on_page(page, o);
		at = o->address + o->size;
	}
}

/* On pages that are there already; the others ask when they come. */
void executor_begin_object(struct execution *e, const struct object *o)
{
	uint64_t first = o->address & ~(uint64_t)(MEMORY_PAGE - 1), end = o->address + o->size;

	if (memory_is_sparse(&e->memory, o->size)) {
		map_each(&e->memory.pages, i)
		{
			struct memory_page *page = e->memory.pages.at[i].value;

			if (page->address >= first && page->address < end)
				begin_on_page(page, o);
		}
		return;
	}
	for (uint64_t page = first; page < end; page += MEMORY_PAGE)
		if (memory_has_page(&e->memory, page))
			begin_on_page(memory_page(&e->memory, page), o);
}

/* --- modules --- */

struct global_sink {
	struct execution *e;
	uint64_t address;
};

static void write_initial(void *context, uint64_t offset, const uint8_t *bytes, uint64_t size)
{
	struct global_sink *to = context;

	memory_write(&to->e->memory, to->address + offset, bytes, size, SOURCE_INITIAL);
}

static void bear_global(struct execution *e, uint32_t number, uint32_t index, uint64_t address)
{
	const struct program_module *module = &e->code.program->modules.at[number];
	LLVMValueRef global = module->plan->globals.at[index];
	struct object object = {.address = address,
	                        .owner = number,
	                        .index = (uint16_t)index,
	                        .kind = OBJECT_GLOBAL};
	struct global_sink to = {e, address};
	struct constants_sink sink = {write_initial, &to};
	uint32_t there = objects_find(&e->objects, address);

	object.size = LLVMABISizeOfType(module->plan->layout, LLVMGlobalGetValueType(global));
	if (!object.size || (there && objects_at(&e->objects, there)->address == address))
		return;
	objects_add(&e->objects, &object);
	executor_begin_object(e, &object);
	if (LLVMGetInitializer(global) &&
	    !constants_write(module, LLVMGetInitializer(global), &sink))
		memory_lose(&e->memory, object.address, object.size, true);
}

/* Is it the definition of the variable that `global` of another or the same module means? */
static bool defines(const struct program_module *module, uint32_t g, LLVMValueRef global)
{
	LLVMValueRef other = module->plan->globals.at[g];
	size_t length, other_length;

	if (other == global)
		return !LLVMIsDeclaration(global);
	return LLVMIsDeclaration(global) && !LLVMIsDeclaration(other) && LLVMIsThreadLocal(other) &&
	       LLVMGetLinkage(other) != LLVMInternalLinkage &&
	       !strcmp(LLVMGetValueName2(other, &other_length), LLVMGetValueName2(global, &length));
}

void executor_thread_local(struct execution *e, LLVMValueRef global, uint64_t address)
{
	const struct program *program = e->code.program;

	if (objects_find(&e->objects, address))
		return;
	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct program_module *module = &program->modules.at[m];

		for (uint32_t g = 0; module->plan && g < module->plan->globals.size; g++)
			if (defines(module, g, global)) {
				bear_global(e, m, g, address);
				return;
			}
	}
}

static void follow_loaded(void *context, uint32_t number)
{
	struct execution *e = context;
	struct program *program = (struct program *)walk_program(e->walk);
	struct program_module *module = &program->modules.at[number];
	const uint64_t *addresses = module->addresses + module->plan->functions.size;

	if (module->values.size || !module->plan)
		return;
	program_index(program, number);
	for (uint32_t i = 0; i < module->imports + module->plan->imports.size; i++)
		if (module->addresses[i])
			executor_note_address(e, module->addresses[i]);
	for (uint32_t g = 0; g < module->plan->globals.size; g++) {
		LLVMValueRef global = module->plan->globals.at[g];

		if (addresses[g] && !LLVMIsDeclaration(global) && !LLVMIsThreadLocal(global) &&
		    LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage)
			bear_global(e, number, g, addresses[g]);
	}
}

/* --- what the program was given --- */

#define MOST_STRINGS OBJECT_ARRAY
#define LONGEST      (1u << 20)

static void bear_given(struct execution *e, uint64_t address, uint64_t size, uint32_t list,
                       uint64_t index)
{
	struct object object = {.address = address,
	                        .size = size,
	                        .owner = list,
	                        .index = (uint16_t)index,
	                        .kind = OBJECT_GIVEN};

	if (address && size && !objects_find(&e->objects, address))
		objects_add(&e->objects, &object);
}

static uint64_t string_size(struct execution *e, uint64_t address)
{
	uint64_t size = 0;
	uint8_t byte;

	while (size < LONGEST && memory_read(&e->memory, address + size, 1, &byte) == 1) {
		size++;
		if (!byte)
			return size;
	}
	return 0;
}

/* argv or environ: an array of strings with a NULL at its end. */
static void bear_strings(struct execution *e, uint64_t array, uint32_t list)
{
	uint64_t count = 0, string;

	while (array && count < MOST_STRINGS &&
	       memory_read(&e->memory, array + 8 * count, 8, (uint8_t *)&string) == 8 && string) {
		bear_given(e, string, string_size(e, string), list, count);
		count++;
	}
	bear_given(e, array, 8 * count + 8, list, OBJECT_ARRAY);
}

static void follow_given(void *context, struct effects effects)
{
	struct execution *e = context;
	struct effect effect;

	while (effects_next(&effects, &effect)) {
		if (effect.head.kind != HENCE_WROTE || !effect.bytes)
			continue;
		memory_write(&e->memory, effect.head.address, effect.bytes, effect.head.size,
		             SOURCE_GIVEN);
		executor_note_address(e, effect.head.address);
		if (effect.head.argument && effect.head.argument <= OUTSIDE_GLOBALS)
			e->libc[effect.head.argument - 1] = effect.head.address;
	}
	bear_strings(e, walk_tape(e->walk)->head.argv, 0);
	bear_strings(e, walk_tape(e->walk)->head.environ, 1);
}

/* --- the walk's steps --- */

/* Is it where it was told to stop? */
static void stop_here(struct execution *e)
{
	if (e->next >= e->pause)
		walk_halt(e->walk);
}

static uint32_t pc_of(const struct activation *a, uint32_t block, const struct plan_record *record)
{
	return a->function->blocks[block] + record->instruction_number;
}

static void follow_entered(void *context, struct program_place place, uint64_t frame,
                           const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct execution *e = context;

	if (!e->failure)
		executor_enter(e, place, frame, byvals, arguments, size);
	stop_here(e);
}

static void follow_reached(void *context, uint32_t block, const struct plan_record *record)
{
	struct execution *e = context;
	struct activation *a = executor_top(e);

	if (a && !e->failure) {
		executor_reach(e, a, block, pc_of(a, block, record), NULL);
		executor_tell_begin(e, a);
	}
}

static void follow_executed(void *context, uint32_t block, const struct plan_record *record,
                            const uint8_t *bytes)
{
	struct execution *e = context;
	struct activation *a = executor_top(e);

	if (a && !e->failure)
		executor_reach(e, a, block, pc_of(a, block, record) + 1, bytes);
	stop_here(e);
}

static void follow_left(void *context)
{
	struct execution *e = context;

	if (!e->failure)
		executor_leave(e);
}

/* Counts as an outside call that may have changed anything: its place is not exact. */
static void follow_interrupted(void *context)
{
	struct execution *e = context;
	const struct activation *a = executor_top(e);

	if (!a)
		return;
	e->handler_first = e->next;
	e->handler_end = UINT32_MAX;
	e->last_unmodelled = "a signal handler";
	e->last_unmodelled_instance = e->next;
	e->last_unmodelled_code = a->function->first + (a->pc ? a->pc - 1 : 0);
}

static void follow_unwound(void *context, uint32_t depth)
{
	struct execution *e = context;

	if (e->handler_end == UINT32_MAX)
		e->handler_end = e->next;
	executor_drop(context, depth);
}

static void follow_resumed(void *context, uint32_t block, const struct plan_record *record)
{
	struct execution *e = context;
	struct activation *a = executor_top(e);

	if (!a || e->failure)
		return;
	a->pc = pc_of(a, block, record) + 1;
	a->block = block;
	a->broken = true;
}

/* --- the whole --- */

struct hence_error *execution_create(struct modules *modules, const char *folder, uint32_t number,
                                     const struct execution_options *options,
                                     struct execution **out)
{
	struct execution *e = mem_alloc(sizeof(*e));
	struct hence_error *error = walk_create(modules, folder, number, &e->walk);

	if (error) {
		free(e);
		return error;
	}
	e->options = *options;
	e->outputs = options->outputs ? outputs_create() : NULL;
	e->next = e->kept_from = e->kept_end = EXECUTION_FIRST;
	e->pause = UINT64_MAX;
	e->follower = (struct walk_follower){.context = e,
	                                     .loaded = follow_loaded,
	                                     .given = follow_given,
	                                     .entered = follow_entered,
	                                     .reached = follow_reached,
	                                     .executed = follow_executed,
	                                     .left = follow_left,
	                                     .interrupted = follow_interrupted,
	                                     .unwound = follow_unwound,
	                                     .resumed = follow_resumed};
	if (!e->options.memory)
		e->options.memory = mem_available() / 2;
	memory_init(&e->memory, fresh_page, e);
	e->memory.most = e->options.memory / sizeof(struct memory_page);
	objects_init(&e->objects);
	code_init(&e->code, walk_program(e->walk), &e->objects);
	walk_follow(e->walk, &e->follower);
	walk_listen(e->walk, executor_outside, e);
	*out = e;
	return NULL;
}

void execution_destroy(struct execution *e)
{
	if (!e)
		return;
	while (e->open.size)
		executor_drop_call(e);
	executor_drop_window(e);
	vec_deinit(&e->stack);
	vec_deinit(&e->slots);
	vec_deinit(&e->branches);
	vec_deinit(&e->dynamic);
	vec_deinit(&e->open);
	vec_deinit(&e->arguments);
	vec_deinit(&e->ranges);
	vec_deinit(&e->segments);
	vec_deinit(&e->frames);
	vec_deinit(&e->flows);
	vec_deinit(&e->bytes);
	flow_bytes_map_deinit(&e->flow_bytes);
	vec_deinit(&e->groups);
	vec_deinit(&e->calls);
	vec_deinit(&e->mismatches);
	vec_deinit(&e->errors);
	error_map_deinit(&e->error_index);
	actions_deinit(&e->actions);
	outputs_destroy(e->outputs);
	code_deinit(&e->code);
	memory_deinit(&e->memory);
	objects_deinit(&e->objects);
	walk_destroy(e->walk);
	error_destroy(e->failure);
	free(e);
}

struct hence_error *execution_run(struct execution *e, const struct walk_place *death)
{
	struct hence_error *error = walk_to_end(e->walk, death);

	if (!error && death)
		executor_die(e, death);
	if (!error && !e->failure)
		executor_check_dying(e);
	if (!error && !e->failure && e->open.size)
		executor_leave_call(e);
	if (error || !e->failure)
		return error;
	error = e->failure;
	e->failure = NULL;
	return error;
}
