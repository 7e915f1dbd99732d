/*
 * decode MODELS FOLDER [retain]: decodes the first tape of the session in FOLDER and prints, on one
 * line: instances, CPU seconds, bytes that are kept, peak memory in KB. With `retain`, instances are
 * kept. Linked with hence (scripts/build-tool).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "outside/table.h"
#include "trace/execution.h"

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "hence: decode: %s\n", error->message);
	exit(1);
}

static double cpu_seconds(long *peak)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	*peak = usage.ru_maxrss;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* A figure of a wrong result is worth nothing. */
static void check(struct execution *e)
{
	uint64_t mismatches;
	uint32_t kept;

	execution_mismatches(e, &kept, &mismatches);
	if (mismatches || execution_guesses(e) ||
	    execution_instances(e) != walk_counts(execution_walk(e))->instructions) {
		fprintf(stderr, "hence: decode: %llu mismatches, %llu guesses, %llu instances\n",
		        (unsigned long long)mismatches, (unsigned long long)execution_guesses(e),
		        (unsigned long long)execution_instances(e));
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct execution_options options = {.retain = argc == 4 && !strcmp(argv[3], "retain")};
	struct execution *e;
	double begin, seconds;
	void *table;
	size_t size;
	long peak;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: decode MODELS FOLDER [retain]\n");
		return 2;
	}
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	options.table = table;
	begin = cpu_seconds(&peak);
	must(execution_create(modules_create(), argv[2], 0, &options, &e));
	must(execution_run(e, NULL));
	seconds = cpu_seconds(&peak) - begin;
	check(e);
	printf("%llu %.4f %llu %ld\n", (unsigned long long)execution_instances(e), seconds,
	       (unsigned long long)(options.retain ? execution_bytes(e) : 0), peak);
	return 0;
}
