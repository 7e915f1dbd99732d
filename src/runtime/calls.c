/*
 * The border between instrumented code and the rest. While outside code runs, hence_rt_head.end is
 * 0, so that the check at the start of any instrumented function fails and comes here.
 */
#include "runtime/calls.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "runtime/server.h"
#include "runtime/tape.h"

#define CALLS   65536 /* nested; memory is touched only as they nest */
#define ENTRIES 65536
#define JUMPS   4096

/* A function that was entered from outside. */
struct entry {
	uint64_t outframe; /* of the entry around it */
	uint32_t calls;    /* calls under way below it */
};

/* A setjmp that has returned once. */
struct jump {
	uint64_t frame;
	uint64_t outframe;
	struct hence_rt_depth depth;
};

static struct hence_rt_call *calls;
static struct entry *entries;
static struct jump *jumps;
static struct hence_rt_depth depth;
static uint32_t jump_count;
static void *owner; /* the one thread that runs instrumented code */

bool hence_rt_calls_init(void)
{
	calls = hence_rt_memory(CALLS * sizeof(*calls));
	entries = hence_rt_memory(ENTRIES * sizeof(*entries));
	jumps = hence_rt_memory(JUMPS * sizeof(*jumps));
	owner = __builtin_thread_pointer();
	return calls && entries && jumps;
}

struct hence_rt_depth hence_rt_calls_depth(void)
{
	return depth;
}

void hence_rt_calls_set_depth(struct hence_rt_depth to)
{
	depth = to;
}

void hence_rt_calls_forked(void)
{
	owner = __builtin_thread_pointer();
}

/* --- entering from outside --- */

static void put_args(const char *signature)
{
	for (uint32_t i = 0; signature[i + 1] && i < HENCE_RT_ARGS; i++)
		hence_rt_put(&hence_rt_args[i], hence_letter_size(signature[i + 1]));
}

static void enter(const struct hence_rt_function *function, void *frame)
{
	struct hence_enter_record record = {.module = function->module->number,
	                                    .function = function->number,
	                                    .frame = (uint64_t)frame};
	uint8_t *open;

	if (depth.entries == ENTRIES) {
		hence_rt_stop(HENCE_FULL);
		return;
	}
	open = hence_rt_open_record(HENCE_ENTER);
	hence_rt_put(&record, sizeof(record));
	put_args(function->signature);
	hence_rt_close_record(open);
	entries[depth.entries++] = (struct entry){hence_rt_head.outframe, depth.calls};
	hence_rt_head.outframe = (uint64_t)frame;
}

HENCE_RT_EXPORT void hence_rt_enter(const struct hence_rt_function *function, void *frame);
void hence_rt_enter(const struct hence_rt_function *function, void *frame)
{
	int saved = errno;

	if (hence_rt_server_on_way)
		hence_rt_server_entered();
	hence_rt_busy++;
	if (hence_rt_recording() && !hence_rt_head.end) {
		if (owner != __builtin_thread_pointer())
			hence_rt_stop(HENCE_THREADS);
		else
			enter(function, frame);
	}
	hence_rt_check();
	hence_rt_busy--;
	errno = saved;
}

HENCE_RT_EXPORT void hence_rt_leave(const struct hence_rt_function *function, void *frame);
void hence_rt_leave(const struct hence_rt_function *function, void *frame)
{
	uint8_t *open;

	if (!hence_rt_recording())
		return;
	hence_rt_busy++;
	open = hence_rt_open_record(HENCE_LEAVE);
	hence_rt_put(hence_rt_result,
	             function->result_size <= HENCE_RESULT ? function->result_size : 0);
	hence_rt_close_record(open);
	if (hence_rt_recording() && depth.entries) {
		struct entry *entry = &entries[--depth.entries];

		depth.calls = entry->calls;
		hence_rt_head.outframe = entry->outframe;
		hence_rt_head.end = NULL;
	}
	hence_rt_busy--;
}

/* --- calling outside --- */

/* Functions that the runtime must look at when they are called. */
enum special {
	ORDINARY,
	STARTS_THREAD, /* with the function in argument 2 (pthread) or 1 */
	STARTS_THREAD_C11,
	STARTS_OTHER, /* code on another stack, beside this one */
	CHANGES_STACK,
	MAY_FORK, /* without the handlers of pthread_atfork() */
};

static const struct {
	const char *name;
	enum special special;
} specials[] = {
	{"pthread_create", STARTS_THREAD},
	{"thrd_create", STARTS_THREAD_C11},
	{"clone", STARTS_OTHER},
	{"makecontext", CHANGES_STACK},
	{"swapcontext", CHANGES_STACK},
	{"setcontext", CHANGES_STACK},
	{"syscall", MAY_FORK},
	{"_Fork", MAY_FORK},
};

uint16_t hence_rt_special(const char *name)
{
	for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++)
		if (!strcmp(name, specials[i].name))
			return specials[i].special;
	return ORDINARY;
}

static void resolve(struct hence_rt_import *import)
{
	if (hence_rt_is_instrumented(import->address)) {
		import->state = HENCE_INSTRUMENTED;
		return;
	}
	import->state = HENCE_OUTSIDE;
	import->special = hence_rt_special(import->name);
	hence_rt_outside_resolve(import);
}

/* Before a special function runs: recording ends where what it starts cannot be followed. */
static void prepare_special(enum special special)
{
	switch (special) {
	case STARTS_THREAD:
		if (hence_rt_is_instrumented(hence_rt_args[2].p))
			hence_rt_stop(HENCE_THREADS);
		break;
	case STARTS_THREAD_C11:
		if (hence_rt_is_instrumented(hence_rt_args[1].p))
			hence_rt_stop(HENCE_THREADS);
		break;
	case STARTS_OTHER: hence_rt_stop(HENCE_THREADS); break;
	case CHANGES_STACK: hence_rt_stop(HENCE_CONTEXTS); break;
	case MAY_FORK:
	case ORDINARY: break;
	}
}

static struct hence_rt_call *push_call(const struct hence_rt_site *site,
                                       struct hence_rt_import *import, void *frame)
{
	struct hence_rt_call *call = &calls[depth.calls++];

	call->site = site;
	call->import = import;
	call->argc = site->argc < HENCE_RT_ARGS ? site->argc : HENCE_RT_ARGS;
	call->frame = (uint64_t)frame;
	call->depth = depth.calls;
	memcpy(call->args, hence_rt_args, call->argc * sizeof(*call->args));
	return call;
}

static void begin(const struct hence_rt_site *site, struct hence_rt_import *import, void *frame)
{
	struct hence_call_record record = {(uint64_t)import->address, site->record};
	struct hence_rt_call *call;
	uint8_t *open;

	if (depth.calls == CALLS)
		hence_rt_stop(HENCE_FULL);
	if (import->special)
		prepare_special(import->special);
	if (!hence_rt_recording())
		return;
	call = push_call(site, import, frame);
	hence_rt_head.outside++;
	open = hence_rt_open_record(HENCE_CALL);
	hence_rt_put(&record, sizeof(record));
	hence_rt_outside_before(call);
	hence_rt_close_record(open);
	if (hence_rt_recording())
		hence_rt_head.end = NULL;
	if (import->special == MAY_FORK)
		hence_rt_fork_begins();
}

static void set_result(struct hence_rt_call *call)
{
	call->result = hence_rt_result;
	call->result_size = call->site->result_size <= HENCE_RESULT ? call->site->result_size : 0;
}

/* In an experiment: only functions whose answers vary are looked at, the others from now on go
   straight through. */
static bool is_varying(struct hence_rt_import *import)
{
	if (calls && import->state == HENCE_UNKNOWN)
		resolve(import);
	if (calls && import->state == HENCE_OUTSIDE && hence_rt_outside_varies(import))
		return true;
	import->state = HENCE_INSTRUMENTED;
	return false;
}

static void begin_varying(const struct hence_rt_site *site, struct hence_rt_import *import,
                          void *frame)
{
	if (depth.calls == CALLS)
		return;
	hence_rt_outside_before(push_call(site, import, frame));
}

static void finish_varying(struct hence_rt_call *call)
{
	if (!call)
		return;
	depth.calls = call->depth - 1;
	set_result(call);
	hence_rt_outside_result(call);
	hence_rt_outside_drop(call);
}

static void before_unrecorded(const struct hence_rt_site *site, void *frame)
{
	if (hence_rt_server_on_way)
		hence_rt_server_call(site->import);
	else if (hence_rt_server_experiments() && is_varying(site->import))
		begin_varying(site, site->import, frame);
}

HENCE_RT_EXPORT void hence_rt_before(const struct hence_rt_site *site, void *frame);
void hence_rt_before(const struct hence_rt_site *site, void *frame)
{
	int saved = errno;

	if (!hence_rt_recording()) {
		before_unrecorded(site, frame);
		errno = saved;
		return;
	}
	hence_rt_busy++;
	if (site->import->state == HENCE_UNKNOWN)
		resolve(site->import);
	if (site->import->state != HENCE_INSTRUMENTED)
		begin(site, site->import, frame);
	hence_rt_busy--;
	errno = saved;
}

/* A call through a pointer, unrecorded: is it looked at? */
static bool call_varying(const struct hence_rt_site *site, void *frame, const void *target)
{
	struct hence_rt_import *import;

	if (hence_rt_server_on_way)
		hence_rt_server_call_pointer(target);
	if (calls && hence_rt_server_experiments() && !hence_rt_is_instrumented(target)) {
		import = hence_rt_import_at(target);
		if (is_varying(import)) {
			begin_varying(site, import, frame);
			return true;
		}
	}
	site->import->address = target;
	site->import->state = HENCE_INSTRUMENTED;
	return false;
}

HENCE_RT_EXPORT uint32_t hence_rt_before_indirect(const struct hence_rt_site *site, void *frame,
                                                  const void *target);
uint32_t hence_rt_before_indirect(const struct hence_rt_site *site, void *frame, const void *target)
{
	uint32_t low = (uint32_t)(uint64_t)target;
	int saved = errno;
	bool instrumented;

	if (!hence_rt_recording()) {
		instrumented = !call_varying(site, frame, target);
		errno = saved;
		return !instrumented;
	}
	hence_rt_busy++;
	instrumented = hence_rt_is_instrumented(target);
	if (instrumented) {
		site->import->address = target;
		site->import->state = HENCE_INSTRUMENTED;
		hence_rt_put(&low, sizeof(low));
	} else {
		begin(site, hence_rt_import_at(target), frame);
	}
	hence_rt_busy--;
	errno = saved;
	return !instrumented;
}

static void put_return(struct hence_rt_call *call, bool effects)
{
	uint8_t *open = hence_rt_open_record(HENCE_RETURN);

	hence_rt_put(call->result, call->result_size);
	if (effects)
		hence_rt_outside_after(call);
	hence_rt_close_record(open);
}

/* The call of this site and frame that is under way; those above it were jumped over. */
static struct hence_rt_call *find_call(const struct hence_rt_site *site, void *frame)
{
	uint32_t least = depth.entries ? entries[depth.entries - 1].calls : 0;

	for (uint32_t i = depth.calls; i > least; i--)
		if (calls[i - 1].site == site && calls[i - 1].frame == (uint64_t)frame)
			return &calls[i - 1];
	return NULL;
}

static void finish(struct hence_rt_call *call, bool effects)
{
	set_result(call);
	if (effects)
		hence_rt_outside_result(call);
	put_return(call, effects);
	hence_rt_check();
}

HENCE_RT_EXPORT void hence_rt_after(const struct hence_rt_site *site, void *frame);
void hence_rt_after(const struct hence_rt_site *site, void *frame)
{
	struct hence_rt_call *call;
	int saved = errno;

	if (!hence_rt_recording()) {
		if (calls && hence_rt_server_experiments())
			finish_varying(find_call(site, frame));
		hence_rt_check();
		errno = saved;
		return;
	}
	hence_rt_busy++;
	call = find_call(site, frame);
	if (call && call->import->special == MAY_FORK)
		hence_rt_fork_ended();
	if (call) {
		depth.calls = call->depth - 1;
		finish(call, true);
	}
	hence_rt_busy--;
	errno = saved;
}

/* --- returning twice --- */

static struct jump *find_jump(void *frame)
{
	for (uint32_t i = jump_count; i > 0; i--)
		if (jumps[i - 1].frame == (uint64_t)frame)
			return &jumps[i - 1];
	return NULL;
}

/* Notes where a setjmp stands; what younger frames noted is of no use any more. */
static void note_jump(void *frame)
{
	struct jump *jump = find_jump(frame);

	if (!jump) {
		while (jump_count && jumps[jump_count - 1].frame < (uint64_t)frame)
			jump_count--;
		if (jump_count == JUMPS)
			jump_count--;
		jump = &jumps[jump_count++];
	}
	*jump = (struct jump){(uint64_t)frame, hence_rt_head.outframe, depth};
}

static void put_resume(const struct hence_rt_site *site, void *frame)
{
	struct hence_resume_record record = {(uint64_t)frame, site->record};
	uint8_t *open = hence_rt_open_record(HENCE_RESUME);

	hence_rt_put(&record, sizeof(record));
	hence_rt_close_record(open);
}

/* setjmp or vfork returned: for the first time when its call is still under way. */
HENCE_RT_EXPORT void hence_rt_again(const struct hence_rt_site *site, void *frame);
void hence_rt_again(const struct hence_rt_site *site, void *frame)
{
	struct hence_rt_call *call, resumed = {.site = site, .import = site->import};
	struct jump *jump;

	if (!hence_rt_recording()) {
		hence_rt_check();
		return;
	}
	hence_rt_busy = 1;
	hence_rt_signals_jumped();
	call = depth.calls ? &calls[depth.calls - 1] : NULL;
	jump = find_jump(frame);
	if (call && call->site == site && call->frame == (uint64_t)frame) {
		depth.calls--;
		note_jump(frame);
		put_resume(site, frame);
		finish(call, true);
	} else if (jump) {
		depth = jump->depth;
		hence_rt_head.outframe = jump->outframe;
		put_resume(site, frame);
		finish(&resumed, false);
	}
	hence_rt_busy = 0;
}
