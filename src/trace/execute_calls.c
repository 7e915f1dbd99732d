/* Functions in an execution: frames, parameters, locals. See execution.h. */
#include <string.h>

#include "trace/executor.h"

/* --- parameters --- */

static struct code_slot *parameter(struct execution *e, const struct activation *a, uint32_t index)
{
	return &e->slots.at[a->slots + a->function->parameters[index].slot];
}

static void undefined_parameter(struct execution *e, const struct activation *a, uint32_t index)
{
	struct code_slot *to = parameter(e, a, index);

	for (uint32_t w = 0; w < a->function->parameters[index].words; w++)
		to[w] = (struct code_slot){.undefined = UINT64_MAX};
}

/* From the call that was made. */
static void pass(struct execution *e, const struct activation *caller, const struct activation *a,
                 const struct code_call *call)
{
	for (uint32_t i = 0; i < a->function->parameter_count; i++) {
		const struct code_parameter *p = &a->function->parameters[i];
		struct code_slot *to = parameter(e, a, i);
		const struct code_slot *from;

		if (i >= call->count || call->arguments[i].words < p->words ||
		    call->arguments[i].operand == CODE_NO_OPERAND) {
			undefined_parameter(e, a, i);
			continue;
		}
		from = executor_slot(e, caller, call->arguments[i].operand);
		for (uint32_t w = 0; w < p->words; w++) {
			to[w] = from[w];
			to[w].made = caller->call;
		}
	}
}

/* From outside code: the values stand on the tape. */
static void receive(struct execution *e, const struct activation *a, const uint8_t *bytes,
                    uint32_t size)
{
	for (uint32_t i = 0; i < a->function->parameter_count; i++) {
		const struct code_parameter *p = &a->function->parameters[i];
		uint32_t stored = hence_letter_size(p->letter);
		struct code_slot *to = parameter(e, a, i);
		uint64_t words[2] = {0};

		if (stored > size || p->words > 2) {
			undefined_parameter(e, a, i);
			size = 0;
			continue;
		}
		memcpy(words, bytes, stored < p->bytes ? stored : p->bytes);
		for (uint32_t w = 0; w < p->words; w++)
			to[w] = (struct code_slot){.bits = words[w]};
		if (p->letter == 'p' && words[0])
			to->object = executor_object_at(e, words[0]);
		bytes += stored;
		size -= stored;
	}
}

void executor_pass_bytes(struct execution *e, uint64_t to, uint64_t from, uint64_t size)
{
	for (uint64_t done = 0; done < size;) {
		uint32_t source;
		uint64_t run = memory_source_run(&e->memory, from + done, size - done, &source);

		memory_copy(&e->memory, to + done, from + done, run, source);
		done += run;
	}
}

/* Structures passed by value: a copy that belongs to the callee. */
static void copy_byvals(struct execution *e, const struct activation *a, const uint8_t *byvals)
{
	const struct plan_function *plan = a->function->plan;

	for (uint32_t i = 0; i < plan->byvals.size; i++) {
		uint32_t index = plan->byvals.at[i];
		const struct code_parameter *p = &a->function->parameters[index];
		struct code_slot *to = parameter(e, a, index);
		struct object object = {.size = p->byval,
		                        .birth = e->next,
		                        .owner = a->frame,
		                        .index = (uint16_t)index,
		                        .kind = OBJECT_BYVAL};

		memcpy(&object.address, byvals + 8 * i, 8);
		if (!a->entered && object.address != to->bits)
			executor_pass_bytes(e, object.address, to->bits, p->byval);
		to->bits = object.address;
		to->object = objects_add(&e->objects, &object);
		*vec_push(&e->dynamic) = to->object;
	}
}

/* --- entering --- */

static void bear_locals(struct execution *e, struct activation *a)
{
	const struct code_function *f = a->function;

	a->object = e->frames.at[a->frame].object = e->objects.all.size + 1;
	for (uint32_t i = 0; i < f->object_count; i++) {
		const struct plan_local *local = &f->plan->locals.at[f->objects[i]];
		struct object object = {.address = a->address + local->offset,
		                        .size = local->size,
		                        .birth = e->next,
		                        .owner = a->frame,
		                        .index = (uint16_t)f->objects[i],
		                        .kind = OBJECT_LOCAL};

		objects_add(&e->objects, &object);
	}
	memory_forget(&e->memory, a->address, f->plan->frame_size, SOURCE_UNDEFINED, true);
}

static uint32_t index_of(const struct code *code, const struct code_function *f)
{
	uint32_t low = 0, high = code->functions.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (code->functions.at[middle]->first <= f->first)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct activation *push(struct execution *e, struct program_place place, uint64_t frame)
{
	const struct code_function *f = code_function(&e->code, place);
	struct activation *a = vec_push(&e->stack);

	a->function = f;
	a->address = frame;
	a->depth = walk_depth(e->walk);
	a->slots = e->slots.size;
	vec_reserve(&e->slots, e->slots.size + f->slots + 1);
	e->slots.size += f->slots;
	a->control = e->branches.size;
	a->dynamic = e->dynamic.size;
	a->frame = e->frames.size;
	*vec_push(&e->frames) = (struct execution_frame){
		.address = frame, .function = index_of(&e->code, f), .first = e->next};
	return a;
}

/* The call on top, as an instance of its own; its value comes when it returns. */
const struct code_call *executor_begin_call(struct execution *e, struct activation *caller)
{
	const struct code_insn *i = &caller->function->insns[caller->pc];

	if (i->op != CODE_CALL)
		return NULL;
	if (caller->broken)
		executor_segment(e, caller);
	caller->pc++;
	caller->call = e->next;
	executor_keep(e, 0, 0);
	if (i->flags & CODE_STATEMENT)
		e->statements++;
	caller->broken = true;
	return i->more;
}

static void tell_call(struct execution *e, struct program_place place, bool called)
{
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;

	e->callee = code_function(&e->code, place);
	if (called) {
		executor_tell(e, EXECUTION_CALLS, e->statements);
	} else if (open && !open->told && open->activation == e->stack.size) {
		open->told = true;
		executor_tell(e, EXECUTION_CALLS_BACK, open->statement);
	}
}

/* The outside call that enters a function now; 0: none. The function is on the stack already. */
static uint32_t called_by(struct execution *e)
{
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;

	if (!open || open->activation + 1 != e->stack.size)
		return 0;
	executor_note_callback(e, open);
	return open->instance;
}

void executor_enter(struct execution *e, struct program_place place, uint64_t frame,
                    const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct activation *caller = arguments ? NULL : executor_top(e), *a;
	const struct code_call *call = NULL;
	uint32_t below = e->stack.size;

	if (caller)
		call = executor_begin_call(e, caller);
	tell_call(e, place, call != NULL);
	a = push(e, place, frame);
	e->has_main |= !strcmp(a->function->plan->name, "main");
	a->entered = !call;
	e->frames.at[a->frame].caller = below ? e->stack.at[below - 1].frame + 1 : 0;
	e->frames.at[a->frame].within = call ? 0 : called_by(e);
	if (call) {
		caller = &e->stack.at[below - 1];
		e->frames.at[a->frame].call = caller->call;
		pass(e, caller, a, call);
	} else {
		receive(e, a, arguments, size);
	}
	a->root = call ? caller->call : e->frames.at[a->frame].within;
	copy_byvals(e, a, byvals);
	bear_locals(e, a);
}

/* --- leaving --- */

static void pop(struct execution *e)
{
	struct activation *a = executor_top(e);

	for (uint32_t i = 0; i < a->function->object_count; i++)
		objects_end(&e->objects, a->object + i, e->next);
	for (uint32_t i = a->dynamic; i < e->dynamic.size; i++)
		objects_end(&e->objects, e->dynamic.at[i], e->next);
	if (!e->options.retain && e->options.windows)
		executor_recycle(e);
	/* A frame that nobody will ask about: nothing is kept, and no object names it. */
	if (!e->options.retain && a->frame + 1 == e->frames.size &&
	    (e->options.windows || (!a->function->object_count && e->dynamic.size == a->dynamic)))
		e->frames.size--;
	else
		e->frames.at[a->frame].end = e->next;
	e->dynamic.size = a->dynamic;
	e->branches.size = a->control;
	e->slots.size = a->slots;
	e->stack.size--;
}

/* The value of a call that has returned. */
void executor_set_call(struct execution *e, uint32_t call, uint64_t value, uint32_t source)
{
	if (call < e->kept_from && e->keeping)
		*vec_push(&e->late) = (struct executor_late){call, source, value};
	if (!e->room || call < e->kept_from || call >= e->kept_end)
		return;
	e->values[call - e->kept_from] = value;
	e->sources[call - e->kept_from] = source;
}

/* A function that outside code called returns to it: what that code does may hang on the value. */
static void note_return(struct execution *e)
{
	const struct activation *a = executor_top(e);

	if (e->frames.at[a->frame].within && (e->options.retain || e->options.windows))
		*vec_push(&e->open.at[e->open.size - 1].returns) = e->next - 1;
}

void executor_leave(struct execution *e)
{
	struct activation *a = executor_top(e), *caller;
	const struct code_insn *ret, *i;
	struct code_slot result[CODE_WORDS] = {{0}};
	uint32_t words;

	if (!a)
		return;
	ret = &a->function->insns[a->pc - 1];
	words = ret->op == CODE_RETURN && ret->a != CODE_NO_OPERAND ? (ret->bytes + 7) / 8 : 0;
	if (words > CODE_WORDS)
		words = CODE_WORDS;
	for (uint32_t w = 0; w < words; w++)
		result[w] = executor_slot(e, a, ret->a)[w];
	if (a->entered) {
		note_return(e);
		pop(e);
		return;
	}
	pop(e);
	caller = executor_top(e);
	i = &caller->function->insns[caller->pc - 1];
	for (uint32_t w = 0; i->op == CODE_CALL && w < i->words && w < words; w++) {
		e->slots.at[caller->slots + i->to + w] = result[w];
		e->slots.at[caller->slots + i->to + w].made = caller->call;
	}
	executor_set_call(e, caller->call, result[0].bits, e->next - 1);
}

/* A call that returns for the first time and may do so again, as setjmp(): it is not left behind. */
static bool returns_now(const struct execution *e, uint32_t depth)
{
	const struct executor_call *open = &e->open.at[e->open.size - 1];

	return open->call.model && open->call.model->flags & OUTSIDE_TWICE &&
	       open->instance + 1 == e->next && open->depth == depth + 1;
}

void executor_drop(struct execution *e, uint32_t depth)
{
	while (e->open.size && e->open.at[e->open.size - 1].depth > depth && !returns_now(e, depth))
		executor_leave_call(e);
	while (e->stack.size && e->stack.at[e->stack.size - 1].depth > depth)
		pop(e);
}

/* --- memory that grows on the stack --- */

void executor_alloca(struct execution *e, struct activation *a, const struct code_insn *i,
                     const uint8_t *tape)
{
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	struct object object = {.birth = e->next, .owner = a->frame, .kind = OBJECT_DYNAMIC};

	memcpy(&object.address, tape, 8);
	object.size = executor_slot(e, a, i->a)->bits * (uint64_t)i->imm;
	if (object.size < 1ull << 30)
		memory_forget(&e->memory, object.address, object.size, SOURCE_UNDEFINED, true);
	*to = (struct code_slot){.bits = object.address,
	                         .object = objects_add(&e->objects, &object),
	                         .made = e->next};
	*vec_push(&e->dynamic) = to->object;
	executor_note_alloca(e, a, e->next);
	executor_keep(e, to->bits, 0);
}
