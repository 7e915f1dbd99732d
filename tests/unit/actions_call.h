/*
 * For the tests of src/actions/actions*.c: a small memory of which some bytes are known, libc.model, a
 * list of effects that a test makes up, and calls.
 */
#ifndef HENCE_TESTS_UNIT_ACTIONS_CALL_H
#define HENCE_TESTS_UNIT_ACTIONS_CALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "actions/actions.h"

#define BASE   0x100000ull
#define ROOM   0x4000u
#define A      (BASE + 0x100)
#define B      (BASE + 0x1100)
#define C      (BASE + 0x2100)
#define D      (BASE + 0x3100)
#define GLOBAL (BASE + 0x40) /* of libc: 8 bytes each */

#define UNUSED __attribute__((unused))

static uint8_t bytes_of[ROOM];
static uint8_t known_of[ROOM];
static uint64_t object_at, object_bytes; /* the one heap object */
static void *table_bytes;
static struct str effect_bytes;
static struct actions_call current;
static uint64_t current_arguments[32];
static struct actions made;

/* --- memory --- */

UNUSED static uint64_t sim_read(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	uint64_t n = 0;

	for (; n < size && address + n - BASE < ROOM && known_of[address + n - BASE]; n++)
		out[n] = bytes_of[address + n - BASE];
	return n;
}

UNUSED static uint64_t sim_object(void *context, uint64_t address)
{
	return address == object_at ? object_bytes : ACTIONS_NO_OBJECT;
}

UNUSED static uint64_t sim_global(void *context, enum outside_global which)
{
	return GLOBAL + 8ull * which;
}

static const struct actions_memory sim UNUSED = {NULL, sim_read, sim_object, sim_global};

UNUSED static void poke(uint64_t address, const void *bytes, uint64_t size)
{
	assert_true(address - BASE < ROOM && size <= ROOM - (address - BASE));
	memcpy(&bytes_of[address - BASE], bytes, size);
	memset(&known_of[address - BASE], 1, size);
}

UNUSED static void poke_text(uint64_t address, const char *text)
{
	poke(address, text, strlen(text) + 1);
}

UNUSED static void poke_word(uint64_t address, uint64_t word)
{
	poke(address, &word, 8);
}

/* --- the test's frame --- */

UNUSED static int setup(void **state)
{
	const char *source = getenv("SRC");
	char folder[4096];
	struct hence_error *error;
	size_t size;

	memset(known_of, 0, sizeof(known_of));
	object_at = 0;
	str_deinit(&effect_bytes);
	if (table_bytes)
		return 0;
	snprintf(folder, sizeof(folder), "%s/models", source ? source : ".");
	error = outside_table_load(folder, NULL, 0, &table_bytes, &size);
	if (error)
		fail_msg("%s", error->message);
	return 0;
}

UNUSED static int cleanup(void **state)
{
	free(table_bytes);
	table_bytes = NULL;
	str_deinit(&effect_bytes);
	actions_deinit(&made);
	return 0;
}

/* Puts an effect on the list of the next begin() or end(). */
UNUSED static void effect(uint8_t kind, uint32_t argument, int32_t stream, uint64_t address,
                          uint64_t offset, uint64_t size, const void *bytes)
{
	struct hence_effect head = {.kind = kind,
	                            .has_bytes = bytes != NULL,
	                            .argument = (uint16_t)argument,
	                            .stream = stream,
	                            .address = address,
	                            .offset = offset,
	                            .size = size};

	str_add_bytes(&effect_bytes, &head, sizeof(head));
	if (bytes)
		str_add_bytes(&effect_bytes, bytes, size);
}

UNUSED static void wrote(uint32_t argument, uint64_t address, uint64_t size, const void *bytes)
{
	effect(HENCE_WROTE, argument, -1, address, 0, size, bytes);
}

UNUSED static struct effects take_effects(void)
{
	struct effects effects;

	assert_true(effects_begin((const uint8_t *)str_text(&effect_bytes), effect_bytes.length,
	                          &effects));
	return effects;
}

UNUSED static void begin_model(const void *table, const char *name, const char *signature, ...)
{
	struct effects effects = take_effects();
	va_list list;

	current = (struct actions_call){.table = table,
	                                .model = outside_table_find(table, name),
	                                .arguments = current_arguments,
	                                .signature = signature};
	assert_non_null(current.model);
	va_start(list, signature);
	for (; signature[current.count + 1]; current.count++)
		current_arguments[current.count] = va_arg(list, uint64_t);
	va_end(list);
	actions_begin(&current, &sim, &effects, &made);
	/* A list points into the effects, so those stay until the next list. */
	if (!made.list.size)
		str_deinit(&effect_bytes);
}

#define begin(...) begin_model(table_bytes, __VA_ARGS__)

UNUSED static void end(uint64_t result)
{
	struct effects effects = take_effects();

	actions_end(&current, &sim, (const uint8_t *)&result, 8, &effects, &made);
}

/* --- what came of it --- */

UNUSED static const struct action *nth(enum action_kind kind, uint32_t n)
{
	for (uint32_t i = 0; i < made.list.size; i++)
		if (made.list.at[i].kind == kind && n-- == 0)
			return &made.list.at[i];
	fail_msg("no action of kind %d", kind);
	return NULL;
}

UNUSED static uint32_t count_of(enum action_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < made.list.size; i++)
		n += made.list.at[i].kind == kind;
	return n;
}

UNUSED static void expect_copied(uint32_t n, uint64_t to, uint64_t from, uint64_t size)
{
	const struct action *action = nth(ACTION_COPIED, n);

	assert_int_equal(action->to, to);
	assert_int_equal(action->from, from);
	assert_int_equal(action->size, size);
}

UNUSED static void expect_filled(uint32_t n, uint64_t to, uint64_t size, uint8_t byte)
{
	const struct action *action = nth(ACTION_FILLED, n);

	assert_int_equal(action->to, to);
	assert_int_equal(action->size, size);
	assert_int_equal(action->byte, byte);
}

UNUSED static void expect_read(uint32_t n, uint32_t argument, uint64_t from, uint64_t size)
{
	const struct action *action = nth(ACTION_READ, n);

	assert_int_equal(action->argument, argument);
	assert_int_equal(action->from, from);
	assert_int_equal(action->size, size);
}

UNUSED static void expect_unknown(uint32_t n, uint8_t clause, uint32_t argument)
{
	const struct action *action = nth(ACTION_UNKNOWN, n);

	assert_int_equal(action->clause, clause);
	assert_int_equal(action->argument, argument);
}

UNUSED static void expect_nothing(void)
{
	assert_int_equal(made.list.size, 0);
}

/* The kinds of all actions, in order. */
#define expect_kinds(...)                                                                          \
	do {                                                                                       \
		static const uint8_t kinds_[] = {__VA_ARGS__};                                     \
		assert_int_equal(made.list.size, sizeof(kinds_));                                  \
		for (uint32_t i_ = 0; i_ < sizeof(kinds_); i_++)                                   \
			assert_int_equal(made.list.at[i_].kind, kinds_[i_]);                       \
	} while (0)

#endif
