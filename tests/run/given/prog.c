/*
 * Reads the first record of its own tape and compares it with its own memory: all that the record
 * says must be so, and all that the program was given must be in it.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/outside_table.h"
#include "runtime/protocol.h"

extern char **environ;

static uint8_t *record, *end;

static void fail(const char *what)
{
	printf("FAILED: %s\n", what);
	exit(1);
}

static uint32_t open_tape(const char *name)
{
	char path[4096];
	uint32_t head[2];
	uint8_t *tape;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", getenv(HENCE_SESSION_ENV), name);
	fd = open(path, O_RDONLY);
	tape = mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, fd, 0);
	if (fd < 0 || tape == MAP_FAILED)
		fail(path);
	memcpy(head, tape + HENCE_STREAM, 8);
	record = tape + HENCE_STREAM + 8;
	end = record + head[1];
	return head[0];
}

/* Is this memory in the record, under this name? */
static int given(const void *from, uint64_t size, uint16_t name)
{
	struct hence_effect effect;

	for (uint8_t *at = record; at < end; at += sizeof(effect) + effect.size) {
		memcpy(&effect, at, sizeof(effect));
		if (effect.kind != HENCE_WROTE || !effect.has_bytes)
			fail("another kind");
		if (effect.address <= (uint64_t)from && effect.argument == name &&
		    (uint64_t)from + size <= effect.address + effect.size)
			return !memcmp(at + sizeof(effect) + ((uint64_t)from - effect.address),
			               from, size);
	}
	return 0;
}

static int count(void)
{
	struct hence_effect effect;
	int n = 0;

	for (uint8_t *at = record; at < end; at += sizeof(effect) + effect.size, n++)
		memcpy(&effect, at, sizeof(effect));
	return n;
}

static void check_strings(char **list)
{
	int n = 0;

	for (; list[n]; n++)
		if (!given(list[n], strlen(list[n]) + 1, 0))
			fail(list[n]);
	if (!given(list, (n + 1) * sizeof(*list), 0))
		fail("an array");
}

#define NAMED(name, number)                                                                        \
	if (!given(&name, sizeof(name), number + 1))                                               \
	fail(#name)

int main(int argc, char **argv)
{
	if (open_tape("00000000.tape") != HENCE_GIVEN)
		fail("another record");
	check_strings(argv);
	check_strings(environ);
	NAMED(stdin, OUTSIDE_STDIN);
	NAMED(stdout, OUTSIDE_STDOUT);
	NAMED(stderr, OUTSIDE_STDERR);
	NAMED(optind, OUTSIDE_OPTIND);
	NAMED(opterr, OUTSIDE_OPTERR);
	NAMED(optopt, OUTSIDE_OPTOPT);
	NAMED(optarg, OUTSIDE_OPTARG);
	NAMED(environ, OUTSIDE_ENVIRON);
	NAMED(program_invocation_name, -1);
	NAMED(program_invocation_short_name, -1);
	if (!given(*__ctype_b_loc() - 128, 768, 0) || !given(__ctype_toupper_loc(), 8, 1 + OUTSIDE_CTYPE_UPPER))
		fail("ctype");
	fflush(stdout);
	if (!fork()) {
		if (open_tape("00000001.tape") == HENCE_GIVEN)
			fail("the child has it too");
		exit(0);
	}
	wait(NULL);
	open_tape("00000000.tape");
	printf("given: %s\n", count() < 25 ? "few" : "many");
	return 0;
}
