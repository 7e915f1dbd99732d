/* Actions of real calls, applied: see applied.h. */
#include "applied.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/objects.h"
#include "runtime/outside.h"
#include "actions/actions.h"

#define ROOM 16384u

static const uint8_t *real;
static uint8_t before[ROOM], after[ROOM];
static uint64_t arguments[HENCE_RT_ARGS];
static char signature[HENCE_RT_ARGS + 2];
static struct actions_call call;
static struct actions actions;
static size_t tape_before;

/* --- memory as it was before the call --- */

/* Outside of the test's memory nothing changes that a model asks for. */
static uint64_t read_elsewhere(uint64_t address, uint64_t size, uint8_t *out)
{
	struct iovec mine = {out, size}, theirs = {(void *)address, size};
	ssize_t n = process_vm_readv(getpid(), &mine, 1, &theirs, 1, 0);

	return n > 0 ? (uint64_t)n : 0;
}

static uint64_t read_before(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	uint64_t at = address - (uint64_t)real;

	if (at >= ROOM)
		return read_elsewhere(address, size, out);
	if (size > ROOM - at)
		size = ROOM - at;
	memcpy(out, before + at, size);
	return size;
}

static uint64_t object_size(void *context, uint64_t address)
{
	uint64_t size = hence_rt_objects_size(address);

	return size ? size : ACTIONS_NO_OBJECT;
}

static uint64_t global(void *context, enum outside_global which)
{
	return (uint64_t)hence_rt_global((int32_t)which);
}

static const struct actions_memory memory = {NULL, read_before, object_size, global};

/* --- applying --- */

static void change(uint64_t to, const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if (to + i - (uint64_t)real < ROOM)
			after[to + i - (uint64_t)real] = bytes[i];
}

static void apply_copy(const struct action *action)
{
	uint8_t *bytes = malloc(action->size);

	assert_int_equal(read_before(NULL, action->from, action->size, bytes), action->size);
	change(action->to, bytes, action->size);
	free(bytes);
}

static void apply_fill(const struct action *action)
{
	uint8_t *bytes = malloc(action->size);

	memset(bytes, action->byte, action->size);
	change(action->to, bytes, action->size);
	free(bytes);
}

/* What was lent is not known any more: right whatever is there. Nothing else may be unknown. */
static void apply_unknown(const struct action *action, const char *name)
{
	if (action->clause != OUTSIDE_LENDS)
		fail_msg("%s: clause %u is not known", name, action->clause);
	change(action->to, (const uint8_t *)action->to, action->size);
}

static void apply(const struct action *action, const char *name)
{
	switch (action->kind) {
	case ACTION_WROTE:
	case ACTION_PERMUTED:
	case ACTION_SEEN: change(action->to, action->bytes, action->size); break;
	case ACTION_COPIED: apply_copy(action); break;
	case ACTION_FILLED: apply_fill(action); break;
	case ACTION_UNKNOWN: apply_unknown(action, name); break;
	default: break;
	}
}

static struct effects effects_from(size_t start)
{
	struct effects found;
	size_t size;
	const uint8_t *bytes = tape_bytes(&size);

	assert_true(effects_begin(bytes + start, size - start, &found));
	return found;
}

/* --- the call --- */

void applied_begin(const struct hence_rt_call *runtime, const void *where, size_t size)
{
	struct effects at_call = effects_from(0);

	assert_int_equal(size, ROOM);
	real = where;
	memcpy(before, where, ROOM);
	strcpy(signature, runtime->site->signature);
	for (uint32_t i = 0; i < runtime->argc; i++)
		arguments[i] = runtime->args[i].u64;
	call = (struct actions_call){.table = hence_rt_table,
	                             .model = hence_rt_model(runtime->import->model),
	                             .arguments = arguments,
	                             .count = runtime->argc,
	                             .signature = signature};
	tape_bytes(&tape_before);
	actions_begin(&call, &memory, &at_call, &actions);
}

void applied_end(const char *name, const void *result, uint32_t size)
{
	struct effects at_return = effects_from(tape_before);

	actions_end(&call, &memory, result, size, &at_return, &actions);
	memcpy(after, before, ROOM);
	for (uint32_t i = 0; i < actions.list.size; i++)
		apply(&actions.list.at[i], name);
	for (uint32_t i = 0; i < ROOM; i++)
		if (after[i] != real[i])
			fail_msg("%s: byte %u is %02x, not %02x as the actions say", name, i,
			         real[i], after[i]);
	actions_deinit(&actions);
}
