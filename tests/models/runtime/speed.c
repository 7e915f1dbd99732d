/* What the runtime adds to common outside calls, in nanoseconds. Not a test: prints a table. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/calls.h"
#include "outside/table.h"

static struct hence_rt_call call;
static struct hence_rt_import import;
static struct hence_rt_site site;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void set_up(const char *name, const char *signature, uint32_t result_size)
{
	memset(&call, 0, sizeof(call));
	import.name = name;
	site.import = &import;
	site.signature = signature;
	call.site = &site;
	call.import = &import;
	call.depth = 1;
	call.argc = (uint32_t)strlen(signature) - 1;
	call.result_size = result_size;
	hence_rt_outside_resolve(&import);
}

#define ROUNDS 300000
#define MEASURE(name, signature, setup, real)                                                      \
	do {                                                                                       \
		uint64_t result = 0;                                                               \
		double start, plain, recorded;                                                     \
		set_up(name, signature, 8);                                                        \
		call.result = &result;                                                             \
		start = now();                                                                     \
		for (int i = 0; i < ROUNDS; i++) {                                                 \
			setup;                                                                     \
			result = (uint64_t)(real);                                                 \
		}                                                                                  \
		plain = now() - start;                                                             \
		start = now();                                                                     \
		for (int i = 0; i < ROUNDS; i++) {                                                 \
			setup;                                                                     \
			tape_reset();                                                              \
			hence_rt_outside_before(&call);                                            \
			result = (uint64_t)(real);                                                 \
			hence_rt_outside_result(&call);                                            \
			hence_rt_outside_after(&call);                                             \
		}                                                                                  \
		recorded = now() - start;                                                          \
		printf("%-10s %6.1f ns alone, %6.1f ns more\n", name, plain / ROUNDS,              \
		       (recorded - plain) / ROUNDS);                                               \
	} while (0)

int main(void)
{
	static char text[] = "twelve chars", buffer[100];
	FILE *null = fopen("/dev/null", "w"), *zero = fopen("/dev/zero", "r");
	void *p = NULL;

	core_start(NULL);
	MEASURE("strlen", "lp", call.args[0].p = text, strlen(text));
	MEASURE("memcpy", "pppl", call.args[0].p = buffer, memcpy(buffer, text, 13));
	MEASURE("malloc", "pl", (free(p), call.args[0].u64 = 24), p = malloc(24));
	MEASURE("free", "vp", call.args[0].p = p = malloc(24), (free(p), 0));
	MEASURE("getc", "ip", call.args[0].p = zero, getc(zero));
	MEASURE("putc", "iip", call.args[1].p = null, putc('x', null));
	MEASURE("fprintf", "ippi", (call.args[0].p = null, call.args[1].p = "%d items\n"),
	        fprintf(null, "%d items\n", 12));
	MEASURE("sprintf", "ippi", (call.args[0].p = buffer, call.args[1].p = "%d items\n"),
	        sprintf(buffer, "%d items\n", 12));
	return 0;
}
