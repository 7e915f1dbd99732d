/* Calls of outside functions in an execution: what they did is applied. See actions.h. */
#include <string.h>

#include "trace/executor.h"

#define LARGEST_BELIEVED (1u << 20) /* bytes of an object that is looked through */

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

void executor_leave_call(struct execution *e)
{
	const struct executor_call *open = &e->open.at[e->open.size - 1];

	if (open->activation == e->stack.size)
		executor_tell(e, EXECUTION_LEFT, open->statement);
	if (!e->jumped) /* the innermost is the one that jumps */
		e->jumped = open->instance;
	executor_drop_call(e);
}

void executor_drop_call(struct execution *e)
{
	struct executor_call *open = &e->open.at[--e->open.size];

	executor_halves_deinit(&open->halves);
	free(open->signature);
	free((void *)open->call.arguments);
	vec_deinit(&open->returns);
	e->arguments.size = open->arguments;
}

/* At its beginning; or when it returns, if it began before the window. */
static void list_call(struct execution *e, struct executor_call *open)
{
	struct execution_call *listed;

	if (!e->keeping || open->listed)
		return;
	listed = vec_push(&e->calls);
	listed->name = open->name;
	listed->instance = open->instance;
	listed->code = open->code;
	listed->model = open->call.model;
	listed->modelled = open->call.model != NULL;
	open->listed = e->calls.size;
}

static void begin(struct execution *e, const struct walk_call *call)
{
	struct activation *a = executor_top(e);
	struct actions_memory memory = memory_of(e);
	struct executor_call *open;

	if (!executor_begin_call(e, a))
		return;
	e->jumped = 0;
	open = vec_push(&e->open);
	open->name = call->name;
	open->activation = e->stack.size;
	open->instance = a->call;
	open->code = a->function->first + a->pc - 1;
	open->depth = walk_depth(e->walk);
	open->statement = e->statements;
	open->call.table = e->options.table;
	if (e->options.table)
		open->call.model = outside_table_find(e->options.table, call->name);
	take_arguments(e, open, a, &a->function->insns[a->pc - 1]);
	list_call(e, open);
	if (open->listed)
		e->calls.at[open->listed - 1].before = call->effects;
	executor_note_copy(e, open->instance);
	actions_begin(&open->call, &memory, &call->effects, &e->actions);
	executor_apply(e, a, open);
	executor_set_call(e, open->instance, 0, open->group);
}

/* --- the call returns --- */

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

/* A function without a model was observed, which shows bytes that changed, but not that a byte which
   was never initialised got the value it happened to have. */
static void believe_initialised(struct execution *e, uint32_t number, unsigned depth)
{
	const struct object *o = objects_at(&e->objects, number);
	struct memory_part part = memory_range(o->address, o->size);

	if (o->size > LARGEST_BELIEVED || o->death)
		return;
	while (memory_next(&e->memory, &part))
		for (uint32_t k = part.at; k < part.at + part.size; k++) {
			uint32_t to = part.page->object[k / MEMORY_WORD];

			if (part.page->undefined[k] == 0xff) {
				part.page->undefined[k] = 0;
				part.page->source[k] = SOURCE_NONE;
			}
			if (k % MEMORY_WORD == 0 && depth && to && to != EXECUTOR_FOREIGN)
				believe_initialised(e, to, depth - 1);
		}
}

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
	if (e->jumped || a->call + 1 != e->next) {
		a->pc--;
		if (!executor_begin_call(e, a))
			return;
		e->statements -= insn->flags & CODE_STATEMENT ? 1 : 0;
	}
	set_result(e, a, call, a->call);
	executor_set_call(e, a->call, insn->words ? e->slots.at[a->slots + insn->to].bits : 0,
	                  e->jumped);
	e->jumped = 0;
	executor_tell(e, EXECUTION_ENDED, e->statements);
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
	list_call(e, open);
	set_result(e, a, call, open->instance);
	actions_end(&open->call, &memory, call->result, call->result_size, &call->effects,
	            &e->actions);
	executor_note_outputs(e, a, open);
	executor_apply(e, a, open);
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
		e->calls.at[open->listed - 1].until = e->next;
	}
	for (uint32_t k = 0; !open->call.model && k < open->call.count; k++) {
		uint32_t object = e->arguments.at[open->arguments + k].object;

		if (object && object != EXECUTOR_FOREIGN)
			believe_initialised(e, object, 2);
	}
	note_last(e, open);
	executor_tell(e, EXECUTION_ENDED, open->statement);
	executor_drop_call(e);
}

/* --- the call does not return --- */

/* What the model says of the call in which the program died is only checked. */
void executor_check_dying(struct execution *e)
{
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;
	struct actions_memory memory = memory_of(e);
	struct effects nothing = {0};

	if (!open || !open->call.model || open->activation != e->stack.size)
		return;
	actions_end(&open->call, &memory, NULL, 0, &nothing, &e->actions);
	executor_check_actions(e, executor_top(e), open);
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
