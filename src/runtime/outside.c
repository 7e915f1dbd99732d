/*
 * Calls of functions that were not built with hence cc: the four functions that the border
 * (calls.c) calls. What a model says is done in outside_apply.c; a call without a model is observed
 * (observe.c).
 */
#include "runtime/outside.h"

#include <errno.h>

#include "runtime/kept.h"
#include "runtime/plain.h"

/* --- finding models --- */

/* The table of names is a hash with open addressing. */
static uint32_t find_model(const struct outside_table *table, const char *name)
{
	const char *base = (const char *)table;
	const uint32_t *slots = (const void *)(base + table->slots);
	const struct outside_function *functions = (const void *)(base + table->functions);
	uint32_t slot = outside_hash(name);

	for (uint32_t tries = 0; tries < table->slot_count; tries++, slot++) {
		uint32_t found = slots[slot & (table->slot_count - 1)];

		if (!found)
			return 0;
		if (plain_equal(base + table->text + functions[found - 1].name, name))
			return found;
	}
	return 0;
}

void hence_rt_outside_resolve(struct hence_rt_import *import)
{
	const char *name = import->name ? import->name : hence_rt_name_of(import->address);

	hence_rt_table_find();
	import->model = hence_rt_table && name ? find_model(hence_rt_table, name) : 0;
}

/* --- the call --- */

void hence_rt_outside_before(struct hence_rt_call *call)
{
	const struct outside_function *function = hence_rt_model(call->import->model);
	struct hence_rt_frame *frame;

	call->scratch = NULL;
	if (function && !function->active && function->flags & OUTSIDE_QUIET)
		return;
	frame = hence_rt_frame_push(call);
	if (!frame)
		return;
	call->scratch = frame;
	frame->function = function;
	frame->errno_before = errno;
	if (!function) {
		hence_rt_head.unmodelled++;
		hence_rt_observe_before(frame);
	} else if (function->flags & OUTSIDE_PREPARES) {
		hence_rt_prepare(frame);
	}
	if (hence_rt_kept)
		hence_rt_kept_before(frame);
}

void hence_rt_outside_result(struct hence_rt_call *call)
{
	struct hence_rt_frame *frame = call->scratch;

	if (!frame)
		return;
	frame->errno_after = errno;
	frame->depth = 0; /* a signal handler must not take it for one that was left */
	frame->ret = hence_rt_result_value(call);
	if (frame->function && frame->function->flags & OUTSIDE_VARIES)
		hence_rt_vary(frame);
}

void hence_rt_outside_after(struct hence_rt_call *call)
{
	struct hence_rt_frame *frame = call->scratch;

	if (!frame)
		return;
	if (frame->errno_after != frame->errno_before) {
		errno = frame->errno_after;
		hence_rt_effect_bytes(HENCE_WROTE, 0, -1, (uint64_t)&errno, sizeof(errno));
	}
	if (hence_rt_kept)
		hence_rt_kept_after(frame);
	if (!frame->function || frame->seen)
		hence_rt_observe_after(frame);
	if (frame->function && frame->function->active)
		hence_rt_apply(frame);
	hence_rt_frame_pop(frame);
}

bool hence_rt_outside_varies(const struct hence_rt_import *import)
{
	const struct outside_function *function = hence_rt_model(import->model);

	return function && function->flags & OUTSIDE_VARIES;
}

void hence_rt_outside_drop(struct hence_rt_call *call)
{
	if (call->scratch)
		hence_rt_frame_pop(call->scratch);
}
