/*
 * Linked into programs that oracle-cc makes: writes the log (events.h) to the file that the
 * environment variable ORACLE_LOG names. Each function here is called by code that rewrite.c puts in:
 * places are numbers of function, block and instruction.
 */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "events.h"

#define PLACE uint32_t f, uint32_t b, uint32_t i

static FILE *out;

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("ORACLE_LOG");

	out = path ? fopen(path, "w") : NULL;
	if (out)
		setvbuf(out, NULL, _IOFBF, 1 << 20);
}

static void put(enum event_kind kind, PLACE, const void *address, const void *other, uint64_t size,
                uint64_t bytes)
{
	struct event e = {.kind = kind,
	                  .function = f,
	                  .block = b,
	                  .instruction = i,
	                  .address = (uint64_t)address,
	                  .other = (uint64_t)other,
	                  .size = size,
	                  .bytes = bytes};

	if (!out)
		return;
	fwrite(&e, sizeof(e), 1, out);
	if (bytes)
		fwrite(address, 1, bytes, out);
}

/* --- what the program does itself --- */

void oracle_global(uint32_t number, void *address, uint64_t size)
{
	put(EVENT_GLOBAL, number, 0, 0, address, NULL, size, 0);
}

void oracle_function(uint32_t number, void *address)
{
	put(EVENT_FUNCTION, number, 0, 0, address, NULL, 1, 0);
}

void oracle_enter(uint32_t f)
{
	put(EVENT_ENTER, f, 0, 0, NULL, NULL, 0, 0);
}

void oracle_leave(uint32_t f)
{
	put(EVENT_LEAVE, f, 0, 0, NULL, NULL, 0, 0);
}

void oracle_byval(uint32_t f, uint32_t parameter, void *address, uint64_t size)
{
	put(EVENT_BYVAL, f, 0, parameter, address, NULL, size, 0);
}

void oracle_local(uint32_t f, uint32_t local, void *address, uint64_t size)
{
	put(EVENT_LOCAL, f, 0, local, address, NULL, size, 0);
}

void oracle_block(uint32_t f, uint32_t b)
{
	put(EVENT_BLOCK, f, b, 0, NULL, NULL, 0, 0);
}

void oracle_load(PLACE, void *address, uint64_t size)
{
	put(EVENT_LOAD, f, b, i, address, NULL, size, size);
}

void oracle_store(PLACE, void *address, uint64_t size)
{
	put(EVENT_STORE, f, b, i, address, NULL, size, size);
}

void oracle_copy(PLACE, void *to, void *from, uint64_t size)
{
	put(EVENT_COPY, f, b, i, to, from, size, size);
}

void oracle_fill(PLACE, void *to, uint64_t size)
{
	put(EVENT_FILL, f, b, i, to, NULL, size, size);
}

void oracle_dynamic(PLACE, void *address, uint64_t count, uint64_t size)
{
	put(EVENT_DYNAMIC, f, b, i, address, NULL, count * size, 0);
}

void oracle_pass(PLACE, void *address, uint64_t parameter)
{
	put(EVENT_PASS, f, b, i, address, (void *)parameter, 0, 0);
}

void oracle_call(PLACE)
{
	put(EVENT_CALL, f, b, i, NULL, NULL, 0, 0);
}

/* --- what functions of the C library do, told after the call: the result, then arguments --- */

static void wrote(PLACE, void *address, uint64_t size)
{
	if (size)
		put(EVENT_WROTE, f, b, i, address, NULL, size, 0);
}

static void born(PLACE, void *address, uint64_t size, int zeroed)
{
	if (address)
		put(EVENT_BORN, f, b, i, address, zeroed ? "" : NULL, size, 0);
}

static void died(PLACE, void *address)
{
	if (address)
		put(EVENT_DIED, f, b, i, address, NULL, 0, 0);
}

void oracle_malloc(PLACE, void *result, uint64_t size)
{
	born(f, b, i, result, size, 0);
}

void oracle_calloc(PLACE, void *result, uint64_t count, uint64_t size)
{
	born(f, b, i, result, count * size, 1);
}

void oracle_free(PLACE, void *address)
{
	died(f, b, i, address);
}

/* The contents go along; the call has written them. */
void oracle_realloc(PLACE, void *result, void *old, uint64_t size)
{
	if (!old)
		born(f, b, i, result, size, 0);
	else if (result)
		put(EVENT_MOVED, f, b, i, result, old, size, 0);
}

void oracle_strcpy(PLACE, char *result, char *to)
{
	wrote(f, b, i, to, strlen(to) + 1);
}

void oracle_strncpy(PLACE, char *result, char *to, char *from, uint64_t size)
{
	wrote(f, b, i, to, size);
}

void oracle_strcat(PLACE, char *result, char *to, char *from)
{
	wrote(f, b, i, to + strlen(to) - strlen(from), strlen(from) + 1);
}

void oracle_sprintf(PLACE, uint32_t result, char *to)
{
	wrote(f, b, i, to, result + 1);
}

void oracle_strdup(PLACE, char *result)
{
	born(f, b, i, result, strlen(result) + 1, 0);
	wrote(f, b, i, result, strlen(result) + 1);
}
