/*
 * slices MODELS FOLDER backward|forward [BYTES]: slices the first tape of the session in FOLDER from its
 * last instance backward, or from argc forward, and prints, on one
 * line: instances, those in the slice, CPU seconds, windows, peak memory in KB of all processes together.
 * BYTES: memory for one window. Linked with hence (scripts/build-tool).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "outside/table.h"
#include "slice/slice.h"

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "hence: slice: %s\n", error->message);
	exit(1);
}

static double seconds_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Of this process, and its copies that have ended. */
static double cpu_seconds(void)
{
	return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

/* Of this process, and the largest of its copies; what they share is counted twice. */
static long peak(void)
{
	struct rusage own, copies;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &copies);
	return own.ru_maxrss + copies.ru_maxrss;
}

static uint64_t count_instances(const struct recording *run)
{
	struct execution_options options = {.table = run->table, .windows = true};
	struct execution *e;
	uint64_t count;

	must(execution_create(run->modules, run->folder, run->tape, &options, &e));
	must(execution_run(e, NULL));
	count = execution_instances(e);
	execution_destroy(e);
	return count;
}

int main(int argc, char **argv)
{
	bool forward = argc > 3 && !strcmp(argv[3], "forward");
	struct recording run = {.folder = argc > 2 ? argv[2] : NULL,
	                        .memory = argc > 4 ? strtoull(argv[4], NULL, 0) : 0};
	struct slice_input input = {.kind = SLICE_COUNT};
	struct slice_criterion criterion = {0};
	struct slice_options options = {0};
	struct slice slice;
	uint64_t total;
	double begin;
	void *table;
	size_t size;

	if (argc < 4 || argc > 5) {
		fprintf(stderr, "usage: slice MODELS FOLDER backward|forward [BYTES]\n");
		return 2;
	}
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	run.table = table;
	run.modules = modules_create();
	total = count_instances(&run);
	criterion.instance = (uint32_t)(total + EXECUTION_FIRST - 1);
	begin = cpu_seconds();
	if (forward)
		must(slice_forward(&run, NULL, 0, &input, 1, &options, &slice));
	else
		must(slice_backward(&run, &criterion, 1, &options, &slice));
	printf("%llu %llu %.3f %u %ld\n", (unsigned long long)slice.total,
	       (unsigned long long)roaring_bitmap_get_cardinality(slice.instances),
	       cpu_seconds() - begin, slice.windows, peak());
	slice_deinit(&slice);
	return 0;
}
