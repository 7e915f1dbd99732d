/* What no C program may do with memory: see execution.h. */
#include "trace/executor.h"

void executor_error(struct execution *e, const struct activation *a,
                    const struct execution_error *error)
{
	uint32_t code = a->function->first + a->pc - 1, *index;
	struct execution_error *kept;

	/* Code that we do not see may have filled in anything. */
	if (error->kind >= ERROR_UNINITIALISED_BRANCH &&
	    error->kind <= ERROR_UNINITIALISED_OUTPUT && !e->has_main)
		return;
	index = error_map_put(&e->error_index, (uint64_t)code * ERROR_KINDS + error->kind);
	if (*index) {
		e->errors.at[*index - 1].count++;
		return;
	}
	kept = vec_push(&e->errors);
	*index = e->errors.size;
	*kept = *error;
	kept->instance = e->next;
	kept->code = code;
	kept->frame = a->frame;
	kept->statement = e->statements;
	kept->count = 1;
}

/* --- objects --- */

/* The frame that holds the address: the stack grows down. */
static const struct activation *frame_at(const struct execution *e, uint64_t address)
{
	uint32_t low = 0, high = e->stack.size;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct activation *a = &e->stack.at[middle];

		if (address < a->address)
			low = middle + 1;
		else if (address >= a->address + a->function->plan->frame_size)
			high = middle;
		else
			return a;
	}
	return NULL;
}

static bool holds(const struct object *o, uint64_t address)
{
	return address >= o->address && address - o->address < o->size;
}

uint32_t executor_object_at(struct execution *e, uint64_t address)
{
	const struct activation *a = frame_at(e, address);

	for (uint32_t i = 0; a && i < a->function->object_count; i++)
		if (holds(objects_at(&e->objects, a->object + i), address))
			return a->object + i;
	return objects_find(&e->objects, address);
}

uint32_t execution_object_at(const struct execution *e, uint64_t address)
{
	return executor_object_at((struct execution *)e, address);
}

/* --- accesses --- */

/* What an instruction that died was about: the address it read or wrote. */
void executor_fault(struct execution *e, struct activation *a)
{
	const struct code_insn *i = &a->function->insns[a->pc];
	struct execution_error error = {.kind = ERROR_FAULT, .size = i->bytes};
	const struct code_slot *pointer = NULL;

	if (i->op == CODE_LOAD || i->op == CODE_LOAD_WIDE || i->op == CODE_ATOMIC)
		pointer = executor_slot(e, a, i->a);
	if (i->op == CODE_STORE || i->op == CODE_STORE_WIDE)
		pointer = executor_slot(e, a, i->b);
	error.writes = i->op == CODE_STORE || i->op == CODE_STORE_WIDE;
	executor_tell_begin(e, a);
	a->pc++;
	if (pointer) {
		executor_check(e, a, pointer, i->bytes, error.writes);
		error.address = pointer->bits;
		error.object = pointer->object == EXECUTOR_FOREIGN ? 0 : pointer->object;
		executor_error(e, a, &error);
	}
	executor_keep(e, 0, 0);
}

static enum execution_error_kind kind_of(const struct object *o)
{
	if (!o->death)
		return ERROR_OUT_OF_BOUNDS;
	return o->kind == OBJECT_HEAP ? ERROR_AFTER_FREE : ERROR_AFTER_RETURN;
}

void executor_check_access(struct execution *e, const struct activation *a,
                           const struct code_slot *pointer, uint64_t address, uint64_t size,
                           bool writes, const char *outside)
{
	struct execution_error error = {
		.writes = writes, .address = address, .size = size, .outside = outside};
	const struct object *o = NULL;

	if (pointer->undefined) {
		error.kind = ERROR_UNINITIALISED_ADDRESS;
		executor_error(e, a, &error);
		return;
	}
	if (!size || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	if (!o->death && address >= o->address && address + size <= o->address + o->size)
		return;
	error.kind = kind_of(o);
	error.object = pointer->object;
	executor_error(e, a, &error);
}

void executor_check_member(struct execution *e, const struct activation *a,
                           const struct code_slot *pointer, const struct code_insn *i)
{
	struct execution_error error = {.kind = ERROR_OUT_OF_MEMBER,
	                                .address = pointer->bits,
	                                .size = i->scale,
	                                .elements = i->c,
	                                .object = pointer->object};
	const struct object *o;

	if (pointer->undefined || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	/* Outside of the whole object, or in one that is gone: the access itself will tell. */
	if (o->death || !holds(o, pointer->bits) || pointer->bits + i->scale > o->address + o->size)
		return;
	for (LLVMUseRef use = LLVMGetFirstUse(a->function->instructions[a->pc - 1]); use;
	     use = LLVMGetNextUse(use))
		error.writes |= LLVMIsAStoreInst(LLVMGetUser(use)) != NULL;
	executor_error(e, a, &error);
}
