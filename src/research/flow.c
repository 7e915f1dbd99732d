/* Reads, writes and calls of a program: see flow.h. */
#include "research/flow.h"

#include <string.h>

#define DEEPEST 16 /* users of users */

/* --- lines --- */

static void set_line(struct flow *f, LLVMValueRef instruction, uint32_t node)
{
	*score_value_map_put(&f->lines, (uintptr_t)instruction) = node + 1;
}

/* The statements of a block: all instructions up to the one that ends one belong to its line. */
static void find_lines(struct flow *f, LLVMBasicBlockRef block)
{
	LLVMValueRef begin = LLVMGetFirstInstruction(block), own;

	for (LLVMValueRef i = begin; i; i = LLVMGetNextInstruction(i)) {
		unsigned length;
		uint32_t node;

		if (!plan_ends_statement(i) || !LLVMGetDebugLocLine(i))
			continue;
		node = score_graph_node(f->graph, LLVMGetDebugLocFilename(i, &length),
		                        LLVMGetDebugLocLine(i));
		for (own = begin; own != i; own = LLVMGetNextInstruction(own))
			if (LLVMInstructionGetDebugLoc(own))
				set_line(f, own, node);
		set_line(f, i, node);
		begin = LLVMGetNextInstruction(i);
	}
}

static uint32_t line_at(const struct flow *f, LLVMValueRef instruction, int depth)
{
	uint32_t *known = score_value_map_find(&f->lines, (uintptr_t)instruction);
	uint32_t line = FLOW_NO_LINE;

	if (known)
		return *known - 1;
	for (LLVMUseRef use = LLVMGetFirstUse(instruction); use && depth && line == FLOW_NO_LINE;
	     use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (LLVMIsAInstruction(user))
			line = line_at(f, user, depth - 1);
	}
	return line;
}

uint32_t flow_line(const struct flow *f, LLVMValueRef instruction)
{
	return line_at(f, instruction, DEEPEST);
}

/* --- events --- */

static struct flow_event *add(struct flow *f, enum flow_kind kind, LLVMValueRef instruction)
{
	struct flow_event *event = vec_push(&f->events);

	event->kind = kind;
	event->line = flow_line(f, instruction);
	event->object = UINT32_MAX;
	event->block = f->blocks.size - 1;
	return event;
}

/* Does a write of `size` bytes at the pointer leave nothing of an object? It must be given by its name. */
static bool is_whole(const struct flow *f, LLVMValueRef pointer, uint64_t size)
{
	uint32_t object = points_to_find(f->points, pointer);

	return object != UINT32_MAX && size && points_to_object(f->points, object)->size == size;
}

static void add_access(struct flow *f, enum flow_kind kind, LLVMValueRef instruction,
                       LLVMValueRef pointer)
{
	add(f, kind, instruction)->objects = points_to_of(f->points, pointer);
}

static void add_store(struct flow *f, uint32_t function, LLVMValueRef i)
{
	struct flow_event *event = add(f, FLOW_WRITE, i);

	event->value = LLVMGetOperand(i, 0);
	event->objects = points_to_of(f->points, LLVMGetOperand(i, 1));
	event->whole = is_whole(f, LLVMGetOperand(i, 1),
	                        ir_store_size(f->functions->all.at[function].plan->layout,
	                                      LLVMTypeOf(event->value)));
}

/* Copying all of a struct, or setting it to 0, leaves nothing of it. */
static bool fills_whole(const struct flow *f, LLVMValueRef call, unsigned argument)
{
	const char *intrinsic = ir_intrinsic(call);
	LLVMValueRef size;

	if (!intrinsic || strncmp(intrinsic, "mem", 3) || argument)
		return false;
	size = LLVMGetOperand(call, 2);
	return LLVMIsAConstantInt(size) &&
	       is_whole(f, LLVMGetOperand(call, 0), LLVMConstIntGetZExtValue(size));
}

static bool is_leap(LLVMValueRef call)
{
	static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
	LLVMValueRef callee = ir_callee(call);
	size_t length;

	for (size_t i = 0; callee && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(LLVMGetValueName2(callee, &length), names[i]))
			return true;
	return false;
}

/* What longjmp() and setjmp() do beside the rest. */
static void add_leaps(struct flow *f, LLVMValueRef call)
{
	if (is_leap(call))
		add(f, FLOW_LEAP, call);
	if (!ir_call_has(call, "returns_twice"))
		return;
	*vec_push(&f->landings) = f->events.size;
	add(f, FLOW_LANDING, call);
}

static void add_call(struct flow *f, uint32_t function, uint32_t block, LLVMValueRef i)
{
	const char *intrinsic = ir_intrinsic(i);
	struct flow_call call = {.instruction = i, .function = function, .block = block};
	uint32_t rest = points_to_rest(f->points, function);

	points_to_callees(f->points, i, &call.callees);
	/* What is passed in memory is copied by the call. */
	for (unsigned j = 0; j < score_argument_count(i); j++)
		if (ir_argument_type(i, j, "byval"))
			add_access(f, FLOW_READ, i, LLVMGetOperand(i, j));
	if (call.callees.outside) {
		/* What an outside function does with memory; reads come first. */
		unsigned count = score_argument_count(i);

		for (unsigned k = 0; k < count; k++)
			if (score_functions_access(f->functions, i, k).reads)
				add_access(f, FLOW_READ, i, LLVMGetOperand(i, k));
		for (unsigned k = 0; k < count; k++)
			if (score_functions_access(f->functions, i, k).writes) {
				add_access(f, FLOW_WRITE, i, LLVMGetOperand(i, k));
				f->events.at[f->events.size - 1].whole = fills_whole(f, i, k);
			}
	}
	add_leaps(f, i);
	if (intrinsic && !strncmp(intrinsic, "va_start", 8) && rest != UINT32_MAX)
		add(f, FLOW_WRITE, i)->object = rest;
	if (!call.callees.all.size) {
		vec_deinit(&call.callees.all);
		return;
	}
	call.line = flow_line(f, i);
	call.event = f->events.size;
	add(f, FLOW_CALL, i)->call = f->calls.size;
	*vec_push(&f->calls) = call;
}

static void add_function(struct flow *f, uint32_t index)
{
	const struct plan_function *of = f->functions->all.at[index].of;

	f->all.at[index].first_block = f->blocks.size;
	for (uint32_t b = 0; b < of->blocks.size; b++) {
		struct flow_block *block = vec_push(&f->blocks);
		uint32_t number = f->blocks.size - 1;

		block->function = index;
		block->first = f->events.size;
		if (!b) {
			/* Parameters in memory are written when the function is called. */
			LLVMValueRef function = f->functions->all.at[index].of->function;

			for (unsigned i = 0; i < LLVMCountParams(function); i++) {
				LLVMValueRef parameter = LLVMGetParam(function, i);
				struct flow_event *event;

				if (!ir_parameter_type(function, i, "byval"))
					continue;
				event = vec_push(&f->events);
				event->kind = FLOW_WRITE;
				event->block = f->blocks.size - 1;
				event->whole = true;
				event->line = FLOW_NO_LINE;
				event->value = parameter;
				event->object = points_to_find(f->points, parameter);
			}
		}
		for (LLVMValueRef i = LLVMGetFirstInstruction(of->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i)) {
			switch (LLVMGetInstructionOpcode(i)) {
			case LLVMLoad: add_access(f, FLOW_READ, i, LLVMGetOperand(i, 0)); break;
			case LLVMStore: add_store(f, index, i); break;
			case LLVMAtomicRMW:
			case LLVMAtomicCmpXchg:
				add_access(f, FLOW_READ, i, LLVMGetOperand(i, 0));
				add_access(f, FLOW_WRITE, i, LLVMGetOperand(i, 0));
				break;
			case LLVMCall:
				if (score_is_call(i))
					add_call(f, index, number, i);
				break;
			case LLVMRet: f->blocks.at[number].returns = true; break;
			default: break;
			}
		}
		f->blocks.at[number].count = f->events.size - f->blocks.at[number].first;
	}
}

/* --- what functions touch --- */

static void touch_own(struct flow *f, uint32_t function)
{
	const struct plan_function *of = f->functions->all.at[function].of;
	struct flow_function *own = &f->all.at[function];

	own->touched = roaring_bitmap_create();
	for (uint32_t b = 0; b < of->blocks.size; b++) {
		struct flow_block *block = &f->blocks.at[own->first_block + b];

		block->touched = roaring_bitmap_create();
		for (uint32_t e = 0; e < block->count; e++) {
			const struct flow_event *event = &f->events.at[block->first + e];

			block->leaps |= event->kind == FLOW_LEAP;
			if (event->objects)
				roaring_bitmap_or_inplace(block->touched, event->objects);
			else if (event->object != UINT32_MAX)
				roaring_bitmap_add(block->touched, event->object);
		}
		roaring_bitmap_or_inplace(own->touched, block->touched);
	}
}

void flow_init(struct flow *f, const struct score_functions *functions,
               const struct points_to *points, struct score_graph *graph)
{
	bool more = true;

	*f = (struct flow){.functions = functions, .points = points, .graph = graph};
	for (uint32_t i = 0; i < functions->all.size; i++) {
		const struct plan_function *of = functions->all.at[i].of;

		vec_push(&f->all);
		for (uint32_t b = 0; b < of->blocks.size; b++)
			find_lines(f, of->blocks.at[b].block);
	}
	for (uint32_t i = 0; i < functions->all.size; i++)
		add_function(f, i);
	for (uint32_t i = 0; i < functions->all.size; i++)
		touch_own(f, i);
	for (uint32_t i = 0; i < f->calls.size; i++)
		for (uint32_t k = 0; k < f->calls.at[i].callees.all.size; k++)
			*vec_push(&f->all.at[f->calls.at[i].callees.all.at[k]].calls) = i;
	/* Callers touch what the called ones do. */
	while (more) {
		more = false;
		for (uint32_t i = 0; i < f->calls.size; i++) {
			const struct flow_call *call = &f->calls.at[i];
			roaring_bitmap_t *own = f->all.at[call->function].touched;

			for (uint32_t k = 0; k < call->callees.all.size; k++) {
				roaring_bitmap_t *other =
					f->all.at[call->callees.all.at[k]].touched;

				if (roaring_bitmap_is_subset(other, own))
					continue;
				roaring_bitmap_or_inplace(own, other);
				more = true;
			}
		}
	}
	for (uint32_t i = 0; i < f->calls.size; i++) {
		const struct flow_call *call = &f->calls.at[i];

		for (uint32_t k = 0; k < call->callees.all.size; k++)
			roaring_bitmap_or_inplace(f->blocks.at[call->block].touched,
			                          f->all.at[call->callees.all.at[k]].touched);
	}
}

void flow_deinit(struct flow *f)
{
	for (uint32_t i = 0; i < f->all.size; i++) {
		vec_deinit(&f->all.at[i].calls);
		roaring_bitmap_free(f->all.at[i].touched);
	}
	for (uint32_t i = 0; i < f->calls.size; i++)
		vec_deinit(&f->calls.at[i].callees.all);
	for (uint32_t i = 0; i < f->blocks.size; i++)
		roaring_bitmap_free(f->blocks.at[i].touched);
	vec_deinit(&f->all);
	vec_deinit(&f->blocks);
	vec_deinit(&f->events);
	vec_deinit(&f->calls);
	vec_deinit(&f->landings);
	score_value_map_deinit(&f->lines);
}
