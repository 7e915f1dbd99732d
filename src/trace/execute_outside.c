/* Calls of outside functions in an execution: what they did is applied. See actions.h. */
#include <string.h>

#include "trace/executor.h"

/* --- what actions ask --- */

static uint64_t read_memory(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	struct execution *e = context;

	return memory_read(&e->memory, address, size, out);
}

static uint64_t object_size(void *context, uint64_t address)
{
	struct execution *e = context;
	uint32_t object = objects_find(&e->objects, address);
	const struct object *o = object ? objects_at(&e->objects, object) : NULL;

	return o && o->address == address && o->kind == OBJECT_HEAP ? o->size : ACTIONS_NO_OBJECT;
}

static uint64_t libc_variable(void *context, enum outside_global which)
{
	struct execution *e = context;

	return e->libc[which];
}

static struct actions_memory memory_of(struct execution *e)
{
	return (struct actions_memory){e, read_memory, object_size, libc_variable};
}

/* --- the call begins --- */

static const struct code_slot *argument(const struct execution *e, const struct executor_call *call,
                                        uint16_t number)
{
	if (!number || number > call->call.count)
		return NULL;
	return &e->arguments.at[call->arguments + number - 1];
}

static void take_arguments(struct execution *e, struct executor_call *open,
                           const struct activation *a, const struct code_insn *insn)
{
	const struct code_call *call = insn->more;
	uint64_t *bits;

	open->arguments = e->arguments.size;
	open->call.count = call->count;
	open->signature = mem_alloc(call->count + 2);
	bits = mem_alloc((call->count + 1) * sizeof(*bits));
	open->signature[0] = call->letter;
	for (uint32_t i = 0; i < call->count; i++) {
		struct code_slot *slot = vec_push(&e->arguments);

		if (call->arguments[i].operand != CODE_NO_OPERAND)
			*slot = *executor_slot(e, a, call->arguments[i].operand);
		bits[i] = slot->bits;
		open->signature[i + 1] = call->arguments[i].byval ? 'S' : call->arguments[i].letter;
	}
	open->call.arguments = bits;
	open->call.signature = open->signature;
}

void executor_drop_call(struct execution *e)
{
	struct executor_call *open = &e->open.at[--e->open.size];

	executor_halves_deinit(&open->halves);
	free(open->signature);
	free((void *)open->call.arguments);
	e->arguments.size = open->arguments;
}

static uint32_t list_call(struct execution *e, const struct executor_call *open,
                          const struct walk_call *call)
{
	struct execution_call *listed;

	if (!e->keeping)
		return 0;
	listed = vec_push(&e->calls);
	listed->name = open->name;
	listed->instance = open->instance;
	listed->modelled = open->call.model != NULL;
	listed->before = call->effects;
	return e->calls.size;
}

static void apply(struct execution *e, struct activation *a, struct executor_call *open);

static void begin(struct execution *e, const struct walk_call *call)
{
	struct activation *a = executor_top(e);
	struct actions_memory memory = memory_of(e);
	struct executor_call *open;

	if (!executor_begin_call(e, a))
		return;
	open = vec_push(&e->open);
	open->name = call->name;
	open->activation = e->stack.size;
	open->instance = a->call;
	open->code = a->function->first + a->pc - 1;
	open->depth = walk_depth(e->walk);
	open->call.table = e->options.table;
	if (e->options.table)
		open->call.model = outside_table_find(e->options.table, call->name);
	take_arguments(e, open, a, &a->function->insns[a->pc - 1]);
	open->listed = list_call(e, open, call);
	actions_begin(&open->call, &memory, &call->effects, &e->actions);
	apply(e, a, open);
}

/* --- what it did --- */

static void set_result(struct execution *e, struct activation *a, const struct walk_call *call,
                       uint32_t instance)
{
	const struct code_insn *i = &a->function->insns[a->pc - 1];
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	uint64_t words[HENCE_RESULT / 8] = {0};

	if (!i->words)
		return;
	if (call->result)
		memcpy(words, call->result, call->result_size);
	for (uint32_t w = 0; w < i->words; w++)
		to[w] = (struct code_slot){.bits = w < HENCE_RESULT / 8 ? words[w] : 0,
		                           .undefined = call->result ? 0 : UINT64_MAX,
		                           .made = instance};
	if (i->flags & CODE_POINTER && to->bits)
		to->object = executor_object_at(e, to->bits);
	if (i->flags & CODE_POINTER && !to->object)
		to->object = EXECUTOR_FOREIGN;
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
			memory_lose(&e->memory, o->address + action->size, o->size - action->size);
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

	memory_lose(&e->memory, o->address, o->size);
	objects_end(&e->objects, number, instance);
}

static void end_object(struct execution *e, const struct activation *a, struct executor_call *open,
                       const struct action *action, bool resizes)
{
	struct execution_error error = {.address = action->to, .outside = open->name};
	const struct code_slot *pointer = argument(e, open, action->argument);
	uint32_t number = objects_find(&e->objects, action->to);
	struct object *o = number ? objects_at(&e->objects, number) : NULL;

	if (o && o->kind == OBJECT_HEAP && o->address == action->to) {
		if (resizes)
			open->resized = number;
		else
			lose(e, number, open->instance);
		return;
	}
	if (!action->to || !pointer || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	error.object = pointer->object;
	error.kind = o->death && o->kind == OBJECT_HEAP ? ERROR_DOUBLE_FREE : ERROR_BAD_FREE;
	executor_error(e, a, &error);
}

static bool frees_and_allocates(const struct action_list *list, uint64_t address)
{
	for (uint32_t i = 0; i < list->size; i++)
		if (list->at[i].kind == ACTION_ALLOCATED && list->at[i].to == address)
			return true;
	return false;
}

static void note_flows(struct execution *e, struct executor_call *open)
{
	const struct action_list *list = &e->actions.list;
	uint32_t group = 0;

	if (!open->listed)
		return;
	group = executor_open_group(e);
	if (!group)
		return;
	e->groups.at[group & ~EXECUTION_GROUP].call = open->listed;
	for (uint32_t i = 0; i < list->size; i++) {
		const struct action *action = &list->at[i];

		if (action->kind == ACTION_COPIED)
			executor_add_flows(e, action->argument, action->to, action->from,
			                   action->size);
		else if (action->kind == ACTION_READ)
			executor_add_flows(e, action->argument, 0, action->from, action->size);
	}
	executor_close_group(e, group);
	open->group = group;
}

static void apply_one(struct execution *e, struct activation *a, struct executor_call *open,
                      const struct action *action)
{
	uint32_t instance = open->instance;

	switch (action->kind) {
	case ACTION_READ:
		/* What a function may read is no error: strcmp() stops before the end. */
		if (action->feeds != ACTIONS_ALL)
			check_region(e, a, open, action, action->from, false);
		break;
	case ACTION_USED: check_used(e, a, open, action); break;
	case ACTION_RETURNED: result_into(e, a, argument(e, open, action->argument)); break;
	case ACTION_WROTE:
	case ACTION_PERMUTED:
	case ACTION_SEEN:
		if (action->kind != ACTION_SEEN)
			check_region(e, a, open, action, action->to, true);
		memory_write(&e->memory, action->to, action->bytes, action->size, instance);
		break;
	case ACTION_FILLED:
		check_region(e, a, open, action, action->to, true);
		memory_fill(&e->memory, action->to, action->byte, action->size, instance);
		break;
	case ACTION_ALLOCATED: bear(e, open, action); break;
	case ACTION_FREED:
		end_object(e, a, open, action, frees_and_allocates(&e->actions.list, action->to));
		break;
	case ACTION_OUTPUT:
		check_source(e, a, open, action->from, action->size);
		check_output(e, a, open, action->from, action->size);
		break;
	default: break;
	}
}

/* Copies are taken before anything is changed, since the source may be freed or written. */
static void apply(struct execution *e, struct activation *a, struct executor_call *open)
{
	const struct action_list *list = &e->actions.list;
	struct memory_block **copies;

	if (!list->size)
		return;
	copies = mem_alloc(list->size * sizeof(*copies));
	note_flows(e, open);
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
			free(copies[i]);
		} else {
			apply_one(e, a, open, &list->at[i]);
		}
	free(copies);
}

/* --- the call returns --- */

static void note_last(struct execution *e, const struct executor_call *open)
{
	e->last_outside = open->name;
	e->last_outside_instance = open->instance;
	e->last_outside_code = open->code;
	if (open->call.model)
		return;
	e->last_unmodelled = open->name;
	e->last_unmodelled_instance = open->instance;
	e->last_unmodelled_code = open->code;
}

/* A call that returns once more (setjmp) is an instance of its own. */
static void return_again(struct execution *e, struct activation *a, const struct walk_call *call)
{
	const struct code_insn *insn = &a->function->insns[a->pc - 1];

	/* Its first return comes here, too: nothing was executed since it was called. */
	if (a->call + 1 != e->next) {
		a->pc--;
		if (!executor_begin_call(e, a))
			return;
		e->statements -= insn->flags & CODE_STATEMENT ? 1 : 0;
	}
	set_result(e, a, call, a->call);
	executor_set_call(e, a->call, insn->words ? e->slots.at[a->slots + insn->to].bits : 0, 0);
}

static void end(struct execution *e, const struct walk_call *call)
{
	struct activation *a = executor_top(e);
	struct actions_memory memory = memory_of(e);
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;
	const struct code_insn *insn;

	if (!open || open->depth != walk_depth(e->walk) || open->activation != e->stack.size) {
		return_again(e, a, call);
		return;
	}
	insn = &a->function->insns[a->pc - 1];
	set_result(e, a, call, open->instance);
	actions_end(&open->call, &memory, call->result, call->result_size, &call->effects,
	            &e->actions);
	executor_note_outputs(e, a, open);
	apply(e, a, open);
	if (insn->flags & CODE_POINTER &&
	    e->slots.at[a->slots + insn->to].object == EXECUTOR_FOREIGN) {
		uint32_t object = executor_object_at(e, e->slots.at[a->slots + insn->to].bits);

		if (object)
			e->slots.at[a->slots + insn->to].object = object;
	}
	executor_set_call(e, open->instance,
	                  insn->words ? e->slots.at[a->slots + insn->to].bits : 0, open->group);
	if (open->listed) {
		e->calls.at[open->listed - 1].returned = true;
		e->calls.at[open->listed - 1].after = call->effects;
	}
	note_last(e, open);
	if (insn->flags & CODE_STATEMENT && e->options.statement)
		e->options.statement(e->options.context, e);
	executor_drop_call(e);
}

void executor_outside(void *context, const struct walk_call *call)
{
	struct execution *e = context;

	if (!executor_top(e) || e->failure)
		return;
	if (call->returned)
		end(e, call);
	else
		begin(e, call);
}
