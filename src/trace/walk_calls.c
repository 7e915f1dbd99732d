/* Calls in a walk: of instrumented functions, and of outside ones as far as the caller goes. */
#include "trace/walker.h"

#include <string.h>

/* The tape holds half of a frame's address; frames of one stack lie close together. */
static uint64_t whole_frame(const struct walk *w, uint32_t low)
{
	const struct context *c = &w->stack.at[w->stack.size - 1];
	uint64_t near = c->frame & ~0xffffffffull;

	near |= low;
	if (near > c->frame + 0x80000000ull)
		near -= 0x100000000ull;
	else if (near + 0x80000000ull < c->frame)
		near += 0x100000000ull;
	return near;
}

static void tell_reached(const struct walk *w)
{
	const struct context *c = &w->stack.at[w->stack.size - 1];

	if (w->follower)
		w->follower->reached(w->follower->context, c->block,
		                     &c->function->records.at[c->record]);
}

/* At the committed end: a frame that is not 0 was written, so the callee has begun. */
static void extend_entry(struct walk *w, uint32_t size)
{
	uint32_t low;

	if (w->at != w->end || (uint64_t)(w->tail - w->at) < size)
		return;
	memcpy(&low, w->at, 4);
	if (low)
		w->end += size;
}

struct hence_error *walker_call_function(struct walk *w, struct program_place place,
                                         const uint8_t *arguments, uint32_t argument_size,
                                         uint64_t frame)
{
	bool entered = arguments != NULL;
	const struct plan_function *callee = program_function(w->program, place);
	uint32_t size = 4 + 8 * callee->byvals.size;

	extend_entry(w, size);
	if (!walker_has(w, size)) {
		if (entered)
			walker_push_function(w, place, frame, true);
		w->stopped = true;
		return NULL;
	}
	if (!entered)
		tell_reached(w);
	if (!entered)
		frame = whole_frame(w, (uint32_t)walker_get(w, 4));
	else if ((uint32_t)frame != (uint32_t)walker_get(w, 4))
		return walker_damaged(w, "a frame that does not match");
	w->at += size - 4;
	walker_push_function(w, place, frame, entered);
	if (w->follower)
		w->follower->entered(w->follower->context, place, frame, w->at - (size - 4),
		                     arguments, argument_size);
	return NULL;
}

static void count_call(struct walk *w, uint64_t outside)
{
	if (!w->counting)
		return;
	w->counts.calls++;
	w->counts.outside += outside != 0;
	if (outside)
		++*count_map_put(&w->outside, outside);
}

static struct hence_error *call_outside(struct walk *w, uint32_t record)
{
	struct hence_error *error;
	uint32_t size, number;
	uint64_t callee;

	error = walker_begin_tagged(w, HENCE_CALL, 12, &size);
	if (error || w->stopped)
		return error;
	memcpy(&callee, w->at, 8);
	memcpy(&number, w->at + 8, 4);
	if (number != record)
		return walker_damaged(w, "a call from another place");
	w->at += size;
	count_call(w, callee);
	tell_reached(w);
	walker_push_outside(w, callee);
	return walker_tell(w, false, w->at - size + 12, size - 12);
}

/* A call that the record on top makes: of an instrumented function or of an outside one. */
struct hence_error *walker_call(struct walk *w, struct context *c, const struct plan_record *r)
{
	const struct program_module *module = &w->program->modules.at[c->place.module];
	struct program_place own = {c->place.module, r->target, 0};
	const struct program_place *place = &own;

	if (r->kind != PLAN_CALL && walker_peek_tag(w) == HENCE_CALL)
		return call_outside(w, c->record);
	if (r->kind == PLAN_IMPORT) {
		place = program_at(w->program, module->addresses[module->imports + r->target]);
	} else if (r->kind == PLAN_INDIRECT) {
		extend_entry(w, 4);
		place = address_map_find(&w->program->low_functions, walker_peek_tag(w));
	}
	if (w->at == w->end && (!place || r->kind == PLAN_INDIRECT)) {
		w->stopped = true;
		return NULL;
	}
	if (!place)
		return walker_damaged(w, "a call of nothing");
	if (r->kind == PLAN_INDIRECT)
		w->at += 4;
	count_call(w, 0);
	return walker_call_function(w, *place, NULL, 0, 0);
}

/* A call has returned to the function on top: on with the record behind it. */
void walker_continue_after_call(struct walk *w)
{
	struct context *c = walker_top(w);

	if (c->function)
		c->record++;
}
