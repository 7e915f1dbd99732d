/* A core for tests: see harness.h. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "outside/table.h"
#include "runtime/calls.h"
#include "runtime/server.h"
#include "runtime/tape.h"

struct seen_effect effects[256];
uint32_t effect_count;
char session_folder[] = "/tmp/hence-test-XXXXXX";
struct hence_control *fake_control;
uint32_t core_depth = 1;

static uint8_t tape[1 << 22];
static size_t tape_size;
static struct {
	char *address;
	size_t size;
} globals[8];
static uint32_t global_count;

/* Never any room, so that every byte comes to hence_rt_put_any(). */
struct hence_head hence_rt_head = {.state = HENCE_RECORDING, .cur = (uint8_t *)1};
struct hence_rt_stream hence_rt_stream;

/* --- what the runtime asks of its core --- */

void hence_rt_put_any(const void *bytes, size_t size)
{
	assert_true(tape_size + size <= sizeof(tape));
	memcpy(tape + tape_size, bytes, size);
	tape_size += size;
}

/* No experiments here. */
bool hence_rt_server_experiments(void)
{
	return false;
}

bool hence_rt_server_repeats(void)
{
	return false;
}

const struct hence_control *hence_rt_control(void)
{
	return fake_control;
}

const char *hence_rt_session(void)
{
	return session_folder;
}

bool hence_rt_global_at(const void *address, const void **start, size_t *size)
{
	for (uint32_t i = 0; i < global_count; i++)
		if ((const char *)address >= globals[i].address &&
		    (const char *)address < globals[i].address + globals[i].size) {
			*start = globals[i].address;
			*size = globals[i].size;
			return true;
		}
	return false;
}

/* --- the test's side --- */

void core_global(void *address, size_t size)
{
	globals[global_count].address = address;
	globals[global_count++].size = size;
}

void core_start(const char *more)
{
	struct outside_models models;
	struct hence_error *error;
	char path[4096];
	void *bytes;
	size_t size;

	hence_rt_head.pid = getpid();
	hence_rt_head.stack_base = (uint64_t)__builtin_frame_address(0) + 1024;
	snprintf(path, sizeof(path), "%s/models", getenv("SRC"));
	outside_models_init(&models);
	error = outside_models_add_folder(&models, path);
	if (!error && more)
		error = outside_models_add_text(&models, "test", more, strlen(more));
	if (error)
		fail_msg("%s", error->message);
	outside_table_write(&models, &bytes, &size);
	outside_models_deinit(&models);
	fake_control = malloc(sizeof(*fake_control) + size);
	*fake_control =
		(struct hence_control){.table_offset = sizeof(*fake_control), .table_size = size};
	memcpy(fake_control + 1, bytes, size);
	free(bytes);
}

static void read_arguments(struct hence_rt_call *call, const char *letters, va_list list)
{
	for (; *letters; letters++, call->argc++) {
		union hence_rt_value *value = &call->args[call->argc];

		switch (*letters) {
		case 'd': value->d = va_arg(list, double); break;
		case 'i': value->i32 = va_arg(list, int); break;
		default: value->u64 = va_arg(list, uint64_t); break;
		}
	}
}

struct hence_rt_call *call_begin(const char *name, const char *signature, ...)
{
	struct hence_rt_import *import = calloc(1, sizeof(*import));
	struct hence_rt_site *site = calloc(1, sizeof(*site));
	struct hence_rt_call *call = calloc(1, sizeof(*call));
	va_list list;

	import->name = name;
	site->import = import;
	site->signature = signature;
	call->site = site;
	call->import = import;
	call->depth = core_depth++;
	va_start(list, signature);
	read_arguments(call, signature + 1, list);
	va_end(list);
	hence_rt_outside_resolve(import);
	if (core_depth == 2)
		tape_size = 0;
	errno = 0;
	hence_rt_outside_before(call);
	return call;
}

/* The list of effects on the tape, as a reader would walk it. */
void tape_walk(void)
{
	size_t at = 0;

	for (effect_count = 0; at < tape_size; effect_count++) {
		struct seen_effect *seen = &effects[effect_count];

		assert_true(effect_count < 256 && at + sizeof(seen->e) <= tape_size);
		memcpy(&seen->e, tape + at, sizeof(seen->e));
		at += sizeof(seen->e);
		seen->bytes = seen->e.has_bytes ? tape + at : NULL;
		at += seen->e.has_bytes ? seen->e.size : 0;
		assert_true(at <= tape_size);
	}
}

void call_end(struct hence_rt_call *call, void *result, uint32_t size)
{
	int saved = errno;

	call->result = result;
	call->result_size = size;
	core_depth = call->depth;
	hence_rt_outside_result(call);
	hence_rt_outside_after(call);
	tape_walk();
	free(call->import);
	free((void *)call->site);
	free(call);
	errno = saved;
}

const struct seen_effect *effect_of(enum hence_effect_kind kind, uint32_t n)
{
	for (uint32_t i = 0; i < effect_count; i++)
		if (effects[i].e.kind == kind && n-- == 0)
			return &effects[i];
	fail_msg("no such effect: kind %d", kind);
	return NULL;
}

uint32_t count_of(enum hence_effect_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < effect_count; i++)
		n += effects[i].e.kind == kind;
	return n;
}

void assert_wrote(const struct seen_effect *effect, const void *address, const void *bytes,
                  size_t size)
{
	assert_int_equal(effect->e.address, (uint64_t)address);
	assert_int_equal(effect->e.size, size);
	assert_true(effect->e.has_bytes);
	assert_memory_equal(effect->bytes, bytes, size);
}

void tape_reset(void)
{
	tape_size = 0;
}

const uint8_t *tape_bytes(size_t *size)
{
	*size = tape_size;
	return tape;
}
