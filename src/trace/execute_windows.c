/*
 * Windows: the decoder stops where it is told, drops what it has kept, and goes on with or without
 * keeping. See execution_window().
 *
 * A window knows what came before it as far as functions under way need that: their slots, each with
 * the instance that made it, are saved when the window begins.
 */
#include "trace/executor.h"

#include <assert.h>
#include <sys/mman.h>

#include "base/str.h"

#define COPIES (EXECUTOR_LIMIT / 8 + 9) /* bytes */

/* --- going on --- */

static struct hence_error *take_failure(struct execution *e)
{
	struct hence_error *error = e->failure;

	e->failure = NULL;
	return error;
}

struct hence_error *execution_advance(struct execution *e, uint64_t until,
                                      const struct walk_place *death, bool *ended)
{
	struct hence_error *error;
	bool end = false;

	e->pause = until;
	error = walk_on(e->walk, &end);
	e->pause = UINT64_MAX;
	if (!error && e->failure)
		error = take_failure(e);
	if (!error && end)
		error = execution_run(e, death);
	if (!error)
		*ended = end;
	return error;
}

uint32_t execution_next(const struct execution *e)
{
	return e->next;
}

bool execution_is_under_way(const struct execution *e, uint32_t call)
{
	for (uint32_t i = 0; i < e->stack.size; i++)
		if (e->stack.at[i].root == call)
			return true;
	for (uint32_t i = 0; i < e->open.size; i++)
		if (e->open.at[i].instance == call)
			return true;
	return false;
}

/* --- what functions under way had --- */

static void save_stack(struct execution *e)
{
	vec_reserve(&e->saved, e->stack.size + 1);
	vec_reserve(&e->saved_slots, e->slots.size + 1);
	for (uint32_t i = 0; i < e->stack.size; i++)
		e->saved.at[i] = e->stack.at[i];
	for (uint32_t i = 0; i < e->slots.size; i++)
		e->saved_slots.at[i] = e->slots.at[i];
	e->saved.size = e->stack.size;
	e->saved_slots.size = e->slots.size;
}

const struct activation *executor_saved(const struct execution *e, uint32_t frame)
{
	/* Frames were numbered anew when the window began. */
	return frame < e->saved.size ? &e->saved.at[frame] : NULL;
}

const struct code_slot *executor_saved_slot(const struct execution *e, const struct activation *a,
                                            uint32_t operand)
{
	return operand & 1 ? &a->function->constants[operand >> 1]
	                   : &e->saved_slots.at[a->slots + (operand >> 1)];
}

const struct executor_late *executor_late(const struct execution *e, uint32_t instance)
{
	uint32_t low = 0, high = e->late.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (e->late.at[middle].instance > instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low < e->late.size && e->late.at[low].instance == instance ? &e->late.at[low] : NULL;
}

uint32_t executor_saved_caller(const struct execution *e, uint32_t call)
{
	uint32_t low = 0, high = e->saved.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (e->saved.at[middle].call <= call)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t execution_late(const struct execution *e, uint32_t instance)
{
	const struct executor_late *late = executor_late(e, instance);

	return late ? late->source : 0;
}

uint32_t execution_late_call(const struct execution *e, uint32_t index)
{
	return index < e->late.size ? e->late.at[index].instance : UINT32_MAX;
}

/* --- numbers of frames and objects --- */

static void set_owner(struct execution *e, uint32_t activation)
{
	const struct activation *a = &e->stack.at[activation];
	uint32_t end = activation + 1 < e->stack.size ? a[1].dynamic : e->dynamic.size;

	for (uint32_t i = 0; i < a->function->object_count; i++)
		objects_at(&e->objects, a->object + i)->owner = activation;
	for (uint32_t i = a->dynamic; i < end; i++)
		objects_at(&e->objects, e->dynamic.at[i])->owner = activation;
}

/* Only functions under way have frames: the first ones. */
static void renumber_frames(struct execution *e)
{
	for (uint32_t i = 0; i < e->stack.size; i++) {
		struct activation *a = &e->stack.at[i];

		e->frames.at[i] = e->frames.at[a->frame]; /* i <= a->frame: it was pushed later */
		e->frames.at[i].caller = i;
		a->frame = i;
		a->segment = 0;
		a->broken = true;
		set_owner(e, i);
	}
	e->frames.size = e->stack.size;
}

static bool is_gone(const struct object *o)
{
	return o->death &&
	       (o->kind == OBJECT_LOCAL || o->kind == OBJECT_DYNAMIC || o->kind == OBJECT_BYVAL);
}

/* Pointers to them may still be about; they are wrong anyway. */
void executor_recycle(struct execution *e)
{
	while (e->objects.all.size && is_gone(&e->objects.all.at[e->objects.all.size - 1]))
		e->objects.all.size--;
}

/* --- windows --- */

static void drop_allocas(struct execution *e)
{
	map_each(&e->allocas, i) vec_deinit(&e->allocas.at[i].value.at);
	alloca_map_deinit(&e->allocas);
}

static void drop(struct execution *e)
{
	e->segments.size = e->flows.size = e->groups.size = e->calls.size = 0;
	e->bytes.size = 0;
	flow_bytes_map_deinit(&e->flow_bytes);
	e->saved.size = e->saved_slots.size = e->late.size = 0;
	drop_allocas(e);
	for (uint32_t i = 0; i < e->open.size; i++) {
		e->open.at[i].listed = e->open.at[i].group = 0;
		e->open.at[i].called = false;
	}
	e->kept_from = e->kept_end = e->next;
	e->keeping = false;
}

static void free_room(struct execution *e)
{
	if (e->room) {
		munmap(e->values, e->room * sizeof(*e->values));
		munmap(e->sources, e->room * sizeof(*e->sources));
	}
	e->values = NULL;
	e->sources = NULL;
	e->room = 0;
}

void execution_window(struct execution *e, bool keep)
{
	assert(e->options.windows);
	drop(e);
	renumber_frames(e);
	executor_recycle(e);
	e->options.retain = keep;
	if (keep)
		save_stack(e);
	else
		free_room(e);
}

void executor_drop_window(struct execution *e)
{
	free_room(e);
	drop_allocas(e);
	vec_deinit(&e->saved);
	vec_deinit(&e->saved_slots);
	vec_deinit(&e->late);
	if (e->copies)
		munmap(e->copies, COPIES);
}

/* --- notes --- */

void executor_note_copy(struct execution *e, uint32_t instance)
{
	if (!e->options.windows)
		return;
	if (!e->copies) {
		void *p = mmap(NULL, COPIES, PROT_READ | PROT_WRITE,
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (p == MAP_FAILED) {
			executor_fail(e, error_create(HENCE_ERROR_INPUT,
			                              "no memory is left to decode the run"));
			return;
		}
		e->copies = p;
	}
	e->copies[instance / 64] |= 1ull << instance % 64;
}

bool execution_copies(const struct execution *e, uint32_t instance)
{
	return e->copies && e->copies[instance / 64] >> instance % 64 & 1;
}

static uint64_t alloca_key(uint32_t frame, uint32_t code)
{
	return (uint64_t)frame << 32 | code;
}

void executor_note_alloca(struct execution *e, const struct activation *a, uint32_t instance)
{
	uint64_t key = alloca_key(a->frame, a->function->first + a->pc - 1);

	if (e->keeping)
		*vec_push(&alloca_map_put(&e->allocas, key)->at) = instance;
}

uint32_t executor_last_alloca(const struct execution *e, uint32_t frame, uint32_t code,
                              uint32_t before)
{
	const struct executor_allocas *all = alloca_map_find(&e->allocas, alloca_key(frame, code));
	uint32_t low = 0, high = all ? all->at.size : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (all->at.at[middle] < before)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? all->at.at[low - 1] : 0;
}
