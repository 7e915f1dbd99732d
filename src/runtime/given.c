/*
 * What the program was given before its first instruction: its arguments and environment, and the
 * variables of libc that it can read without calling anything. None of it is written by code that
 * is recorded, so the reader could not know it otherwise.
 */
#include "runtime/given.h"

#include <errno.h>

#include "runtime/outside.h"
#include "runtime/plain.h"

extern char *program_invocation_name, *program_invocation_short_name;

/* Weak, so that a static program that does without them is not made to link them. */
#pragma weak program_invocation_name
#pragma weak program_invocation_short_name

static void give_as(uint32_t name, const void *from, uint64_t size)
{
	if (from && size)
		hence_rt_effect_bytes(HENCE_WROTE, name, -1, (uint64_t)from, size);
}

static void give(const void *from, uint64_t size)
{
	give_as(0, from, size);
}

/* --- arguments and environment --- */

/* Pieces of memory that lie one behind the other become one. */
struct block {
	const char *start, *end;
};

static void add(struct block *block, const void *from, uint64_t size)
{
	if (block->end != from) {
		give(block->start, (uint64_t)(block->end - block->start));
		block->start = from;
	}
	block->end = (const char *)from + size;
}

/* --- variables of libc --- */

static uint64_t size_of_global(int32_t which)
{
	switch (which) {
	case OUTSIDE_OPTIND:
	case OUTSIDE_OPTERR:
	case OUTSIDE_OPTOPT:
	case OUTSIDE_DAYLIGHT: return 4;
	case OUTSIDE_TZNAME: return 16;
	default: return 8;
	}
}

/* The tables behind isalpha() and its like, which are macros: for -128 up to 255. */
static void give_table(int32_t which, uint64_t unit)
{
	const char *const *found = (const char *const *)hence_rt_global(which);

	if (found)
		give(*found - 128 * unit, 384 * unit);
}

/* --- all --- */

void hence_rt_give(char **argv, char **environment)
{
	uint64_t variable = hence_rt_global(OUTSIDE_ENVIRON);
	char **now = variable ? *(char ***)variable : NULL;
	char **const lists[] = {argv, environment, now != environment ? now : NULL};
	uint8_t *open = hence_rt_open_record(HENCE_GIVEN);
	struct block block = {0};

	for (int i = 0; i < 3; i++)
		if (lists[i]) {
			char **array = lists[i];
			uint64_t count = 0;

			/* The array with the NULL at its end. */
			while (array[count])
				count++;
			add(&block, array, (count + 1) * sizeof(*array));
		}
	for (int i = 0; i < 3; i++)
		if (lists[i]) {
			char **array = lists[i];

			for (; *array; array++)
				add(&block, *array, plain_length(*array) + 1);
		}
	give(block.start, (uint64_t)(block.end - block.start));
	for (int32_t i = 0; i < OUTSIDE_GLOBALS; i++)
		give_as((uint32_t)i + 1, (const void *)hence_rt_global(i), size_of_global(i));
	give(&program_invocation_name, 8);
	give(&program_invocation_short_name, 8);
	give(&errno, sizeof(errno));
	give_table(OUTSIDE_CTYPE, 2);
	give_table(OUTSIDE_CTYPE_LOWER, 4);
	give_table(OUTSIDE_CTYPE_UPPER, 4);
	hence_rt_close_record(open);
}
