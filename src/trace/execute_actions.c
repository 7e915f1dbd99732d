/* Applies what an outside call did to the decoder's memory and objects, and checks it: see actions.h. */
#include <string.h>

#include "trace/executor.h"

static const struct code_slot *argument(const struct execution *e, const struct executor_call *call,
                                        uint16_t number)
{
	if (!number || number > call->call.count)
		return NULL;
	return &e->arguments.at[call->arguments + number - 1];
}

/* A result that points just behind the end of its object is of that object all the same. */
static void result_into(struct execution *e, struct activation *a, const struct code_slot *pointer)
{
	const struct code_insn *i = &a->function->insns[a->pc - 1];
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	const struct object *o;

	if (!i->words || !pointer || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	if (to->bits >= o->address && to->bits <= o->address + o->size)
		to->object = pointer->object;
}

/* Texts that run out of the array in a structure that they are written to. Functions that write bytes, such as memcpy(), are
   used for several members at once. */
static void check_member(struct execution *e, const struct activation *a,
                         const struct executor_call *open, const struct action *action,
                         uint64_t address)
{
	static const char *const writers[] = {
		"strcpy",   "stpcpy",         "strcat",          "strncat",        "sprintf",
		"vsprintf", "gets",           "fgets",           "scanf",          "sscanf",
		"fscanf",   "__isoc99_scanf", "__isoc99_sscanf", "__isoc99_fscanf"};
	LLVMValueRef call = a->function->instructions[a->pc - 1], value;
	const struct code_slot *pointer = argument(e, open, action->argument);
	struct execution_error error = {
		.kind = ERROR_OUT_OF_MEMBER, .writes = true, .outside = open->name};
	bool writer = false;

	for (size_t i = 0; i < sizeof(writers) / sizeof(*writers) && open->name; i++)
		writer |= !strcmp(writers[i], open->name);
	if (!writer || !LLVMIsACallInst(call) || !pointer || !pointer->object ||
	    pointer->object == EXECUTOR_FOREIGN || action->argument > LLVMGetNumArgOperands(call))
		return;
	/* The array as a whole: its first element. */
	value = LLVMGetOperand(call, (unsigned)action->argument - 1u);
	error.elements = code_member_elements(value);
	if (!error.elements || !LLVMIsAConstantInt(LLVMGetOperand(value, 2)) ||
	    LLVMConstIntGetZExtValue(LLVMGetOperand(value, 2)) ||
	    LLVMGetTypeKind(LLVMGetElementType(LLVMGetGEPSourceElementType(value))) !=
	            LLVMIntegerTypeKind ||
	    LLVMGetIntTypeWidth(LLVMGetElementType(LLVMGetGEPSourceElementType(value))) != 8 ||
	    address < pointer->bits || address + action->size <= pointer->bits + error.elements)
		return;
	error.object = pointer->object;
	error.address = address;
	error.size = action->size;
	executor_error(e, a, &error);
}

static void check_region(struct execution *e, const struct activation *a,
                         const struct executor_call *open, const struct action *action,
                         uint64_t address, bool writes)
{
	const struct code_slot *pointer = argument(e, open, action->argument);
	const struct object *o;

	if (!pointer || !address || pointer->undefined || !pointer->object ||
	    pointer->object == EXECUTOR_FOREIGN)
		return;
	/* What an argument leads to need not be in its object: *line of getline(). */
	o = objects_at(&e->objects, pointer->object);
	if (address == pointer->bits || (address >= o->address && address - o->address < o->size))
		executor_check_access(e, a, pointer, address, action->size, writes, open->name);
	if (writes)
		check_member(e, a, open, action, address);
}

/* What a function may read is no error, since strcmp() stops before the end; but the first byte of an
   object that is gone is. */
static void check_dead(struct execution *e, const struct activation *a,
                       const struct executor_call *open, const struct action *action)
{
	const struct code_slot *pointer = argument(e, open, action->argument);

	if (pointer && pointer->object && pointer->object != EXECUTOR_FOREIGN &&
	    action->from == pointer->bits && action->size &&
	    objects_at(&e->objects, pointer->object)->death)
		executor_check_access(e, a, pointer, action->from, 1, false, open->name);
}

/* Bytes that were copied or put out: which argument led to them, the address tells. */
static void check_source(struct execution *e, const struct activation *a,
                         const struct executor_call *open, uint64_t address, uint64_t size)
{
	for (uint16_t k = 1; address && size && k <= open->call.count; k++) {
		const struct code_slot *pointer = argument(e, open, k);

		if (pointer->bits == address && pointer->object && !pointer->undefined) {
			executor_check_access(e, a, pointer, address, size, false, open->name);
			return;
		}
	}
}

static void check_output(struct execution *e, const struct activation *a,
                         const struct executor_call *open, uint64_t address, uint64_t size)
{
	struct execution_error error = {.kind = ERROR_UNINITIALISED_OUTPUT, .outside = open->name};
	uint64_t at;

	if (!address || !size || size > ACTIONS_MOST)
		return;
	at = memory_find_undefined(&e->memory, address, size);
	if (at == size)
		return;
	error.address = address + at;
	error.size = 1;
	error.object = executor_object_at(e, error.address);
	executor_error(e, a, &error);
}

static void check_used(struct execution *e, const struct activation *a,
                       const struct executor_call *open, const struct action *action)
{
	struct execution_error error = {.kind = ERROR_UNINITIALISED_OUTPUT, .outside = open->name};
	const struct code_slot *slot = argument(e, open, action->argument);
	uint64_t mask = action->size >= 8 ? UINT64_MAX : (1ull << 8 * action->size) - 1;

	if (slot && slot->undefined & mask)
		executor_error(e, a, &error);
}

static void bear(struct execution *e, const struct executor_call *open, const struct action *action)
{
	struct object object = {.address = action->to,
	                        .size = action->size,
	                        .birth = open->instance,
	                        .kind = OBJECT_HEAP,
	                        .zeroed = action->zeroed};
	uint32_t number = objects_find(&e->objects, action->to);

	/* The same block, made larger or smaller: pointers to it stay good. */
	if (number && open->resized == number) {
		struct object *o = objects_at(&e->objects, number);

		if (action->size > o->size)
			memory_forget(&e->memory, o->address + o->size, action->size - o->size,
			              SOURCE_UNDEFINED, false);
		else
			memory_lose(&e->memory, o->address + action->size, o->size - action->size,
			            false);
		o->death = 0;
		objects_resize(&e->objects, number, action->size);
		return;
	}
	executor_note_address(e, action->to);
	objects_add(&e->objects, &object);
	executor_begin_object(e, &object);
}

/* The block is free. Code outside may use it again without our seeing it. */
static void lose(struct execution *e, uint32_t number, uint32_t instance)
{
	const struct object *o = objects_at(&e->objects, number);

	memory_lose(&e->memory, o->address, o->size, false);
	objects_end(&e->objects, number, instance);
}

static uint32_t block_at(struct execution *e, uint64_t address)
{
	uint32_t number = objects_find(&e->objects, address);
	const struct object *o = number ? objects_at(&e->objects, number) : NULL;

	return o && o->kind == OBJECT_HEAP && o->address == address ? number : 0;
}

/* Something is freed that is no block of the heap, or not any more. */
static void bad_free(struct execution *e, const struct activation *a,
                     const struct executor_call *open, uint16_t number)
{
	const struct code_slot *pointer = argument(e, open, number);
	struct execution_error error = {.outside = open->name};
	const struct object *o;

	if (!pointer || !pointer->bits || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	error.address = pointer->bits;
	error.object = pointer->object;
	error.kind = o->death && o->kind == OBJECT_HEAP ? ERROR_DOUBLE_FREE : ERROR_BAD_FREE;
	executor_error(e, a, &error);
}

static void end_object(struct execution *e, const struct activation *a, struct executor_call *open,
                       const struct action *action, bool resizes)
{
	uint32_t number = block_at(e, action->to);

	if (number && resizes)
		open->resized = number;
	else if (number)
		lose(e, number, open->instance);
	else if (action->to)
		bad_free(e, a, open, action->argument);
}

static bool frees_and_allocates(const struct action_list *list, uint64_t address)
{
	for (uint32_t i = 0; i < list->size; i++)
		if (list->at[i].kind == ACTION_ALLOCATED && list->at[i].to == address)
			return true;
	return false;
}

#define REACHED (1u << 20) /* bytes that a function without a model may have read */

/* What a function without a model could read: the object, and those that it points to. */
static void add_object(struct execution *e, uint32_t number, uint16_t argument, unsigned depth,
                       uint64_t *left)
{
	const struct object *o = objects_at(&e->objects, number);
	uint64_t size = o->size < *left ? o->size : *left;
	struct memory_part part = memory_range(o->address, size);

	if (o->death)
		return;
	*left -= size;
	executor_add_flows(e, argument, 0, o->address, size);
	while (depth && memory_next(&e->memory, &part))
		for (uint32_t k = (part.at + 7) & ~7u; k < part.at + part.size; k += MEMORY_WORD) {
			uint32_t to = part.page->object[k / MEMORY_WORD];

			if (to && to != EXECUTOR_FOREIGN && to != number)
				add_object(e, to, argument, depth - 1, left);
		}
}

static void add_reachable(struct execution *e, const struct executor_call *open)
{
	uint64_t left = REACHED;

	for (uint16_t k = 1; k <= open->call.count; k++) {
		uint32_t object = argument(e, open, k)->object;

		if (object && object != EXECUTOR_FOREIGN)
			add_object(e, object, k, 2, &left);
	}
}

/* What was there when the call first called back: by now callbacks may have seen some of it moved,
   and those bytes are the call's own. */
static void add_earlier(struct execution *e, uint32_t group)
{
	struct execution_group earlier = e->groups.at[group & ~EXECUTION_GROUP];

	for (uint32_t i = 0; i < earlier.count; i++) {
		struct execution_flow flow = e->flows.at[earlier.first + i];
		uint32_t *bytes = flow_bytes_map_find(&e->flow_bytes, earlier.first + i);
		uint32_t at = bytes ? *bytes : 0;

		if (bytes)
			*flow_bytes_map_put(&e->flow_bytes, e->flows.size) = at;
		*vec_push(&e->flows) = flow;
	}
}

static void note_flows(struct execution *e, struct executor_call *open)
{
	const struct action_list *list = &e->actions.list;
	bool keeping = e->keeping;
	uint32_t group;

	if (!open->listed)
		return;
	/* The call is kept, though what is kept may have ended while it ran. */
	e->keeping = true;
	e->bytes_left = e->options.bytes ? EXECUTOR_BYTES : 0;
	group = executor_open_group(e);
	e->groups.at[group & ~EXECUTION_GROUP].call = open->listed;
	for (uint32_t i = 0; i < list->size; i++) {
		const struct action *action = &list->at[i];

		if (action->kind == ACTION_COPIED)
			executor_add_flows(e, action->argument, action->to, action->from,
			                   action->size);
		else if (action->kind == ACTION_READ ||
		         (action->kind == ACTION_OUTPUT && action->from &&
		          action->size <= ACTIONS_MOST))
			executor_add_flows(e, action->argument, 0, action->from, action->size);
	}
	if (!open->call.model)
		add_reachable(e, open);
	if (open->called)
		add_earlier(e, open->group);
	for (uint32_t i = 0; i < open->returns.size; i++)
		vec_push(&e->flows)->source = open->returns.at[i];
	executor_close_group(e, group);
	e->bytes_left = 0;
	open->group = group;
	e->keeping = keeping;
}

void executor_note_callback(struct execution *e, struct executor_call *open)
{
	bool keeping = e->keeping;

	if (open->called || !open->listed)
		return;
	open->called = true;
	e->keeping = true;
	e->bytes_left = e->options.bytes ? EXECUTOR_BYTES : 0;
	open->group = executor_open_group(e);
	e->groups.at[open->group & ~EXECUTION_GROUP].call = open->listed;
	add_reachable(e, open);
	executor_close_group(e, open->group);
	e->bytes_left = 0;
	executor_set_call(e, open->instance, 0, open->group);
	e->keeping = keeping;
}

/* The model says that something was written, but not what: it is unknown then. */
static void lose_unknown(struct execution *e, const struct action *action)
{
	uint32_t number = action->to ? executor_object_at(e, action->to) : 0;
	const struct object *o = number ? objects_at(&e->objects, number) : NULL;

	if (action->size && action->to && action->size <= ACTIONS_MOST)
		memory_lose(&e->memory, action->to, action->size, true);
	else if (o)
		memory_lose(&e->memory, action->to, o->address + o->size - action->to, true);
}

static void apply_one(struct execution *e, struct activation *a, struct executor_call *open,
                      const struct action *action)
{
	uint32_t instance = open->instance;

	switch (action->kind) {
	case ACTION_READ:
		if (action->feeds != ACTIONS_ALL)
			check_region(e, a, open, action, action->from, false);
		else
			check_dead(e, a, open, action);
		break;
	case ACTION_USED: check_used(e, a, open, action); break;
	case ACTION_RETURNED: result_into(e, a, argument(e, open, action->argument)); break;
	case ACTION_WROTE:
	case ACTION_PERMUTED:
	case ACTION_SEEN:
		if (action->kind != ACTION_SEEN)
			check_region(e, a, open, action, action->to, true);
		memory_write(&e->memory, action->to, action->bytes, action->size, instance);
		executor_tell_wrote(e, instance, action->to, action->size);
		break;
	case ACTION_FILLED:
		check_region(e, a, open, action, action->to, true);
		memory_fill(&e->memory, action->to, action->byte, action->size, instance);
		executor_tell_wrote(e, instance, action->to, action->size);
		break;
	case ACTION_ALLOCATED: bear(e, open, action); break;
	case ACTION_FREED:
		end_object(e, a, open, action, frees_and_allocates(&e->actions.list, action->to));
		break;
	case ACTION_UNKNOWN: lose_unknown(e, action); break;
	case ACTION_OUTPUT:
		check_source(e, a, open, action->from, action->size);
		check_output(e, a, open, action->from, action->size);
		break;
	default: break;
	}
}

/* Copies are taken before anything is changed, since the source may be freed or written. */
void executor_apply(struct execution *e, struct activation *a, struct executor_call *open)
{
	const struct action_list *list = &e->actions.list;
	struct memory_block **copies;

	note_flows(e, open);
	if (!list->size)
		return;
	copies = mem_alloc(list->size * sizeof(*copies));
	for (uint32_t i = 0; i < list->size; i++) {
		const struct action *action = &list->at[i];

		if (action->kind != ACTION_COPIED)
			continue;
		check_region(e, a, open, action, action->to, true);
		check_source(e, a, open, action->from, action->size);
		copies[i] = memory_take(&e->memory, action->from, action->size);
	}
	for (uint32_t i = 0; i < list->size; i++)
		if (copies[i]) {
			memory_put(&e->memory, list->at[i].to, copies[i], open->instance);
			executor_tell_wrote(e, open->instance, list->at[i].to, list->at[i].size);
			free(copies[i]);
		} else {
			apply_one(e, a, open, &list->at[i]);
		}
	free(copies);
}

/* The program died in the call: what it was about to free, and where it was about to write. */
void executor_check_actions(struct execution *e, const struct activation *a,
                            const struct executor_call *open)
{
	const struct outside_clause *clause =
		outside_table_clauses(open->call.table, open->call.model);
	const struct action_list *list = &e->actions.list;

	for (uint32_t i = 0; i < open->call.model->clause_count; i++) {
		const struct code_slot *pointer = argument(e, open, clause[i].argument);

		if (clause[i].kind == OUTSIDE_FREES && pointer && !block_at(e, pointer->bits))
			bad_free(e, a, open, clause[i].argument);
	}
	for (uint32_t i = 0; i < list->size; i++)
		if (list->at[i].kind == ACTION_COPIED || list->at[i].kind == ACTION_FILLED)
			check_region(e, a, open, &list->at[i], list->at[i].to, true);
}
