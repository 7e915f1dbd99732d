/*
 * states MODELS FOLDER: takes the last state of the first two tapes of the session in FOLDER and compares
 * them. Prints, on one line: bytes of a state, CPU seconds of decoding alone, of taking a state, of
 * comparing, of all changes; differences. Linked with hence (scripts/build-tool).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "outside/table.h"
#include "state/graph.h"

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "hence: states: %s\n", error->message);
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t count_statements(const struct recording *run)
{
	struct execution_options options = {.table = run->table, .windows = true};
	struct execution *e;
	uint64_t count;

	must(execution_create(run->modules, run->folder, run->tape, &options, &e));
	must(execution_run(e, NULL));
	count = execution_statements(e);
	execution_destroy(e);
	return count;
}

struct kept {
	struct state *states[4];
	double at[4];
};

static bool keep(void *context, uint32_t index, struct state *state)
{
	struct kept *k = context;

	k->states[index] = state;
	k->at[index] = now();
	return true;
}

static uint64_t size_of(const struct state *s)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < s->objects.size; i++)
		size += s->objects.at[i].size;
	return size;
}

int main(int argc, char **argv)
{
	struct recording runs[2] = {{0}};
	static struct kept kept[2];
	struct state_diff *diff;
	struct alignment same = {0};
	double begin, decoding, comparing, changing, most;
	uint32_t count, changes, *all;
	uint64_t last;
	void *table;
	size_t size;

	if (argc != 3)
		return 2;
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	for (uint32_t i = 0; i < 2; i++)
		runs[i] = (struct recording){
			.modules = modules_create(), .folder = argv[2], .tape = i, .table = table};
	begin = now();
	last = count_statements(&runs[0]);
	decoding = now() - begin;
	for (uint32_t i = 0; i < 2; i++) {
		/* The second and third are taken from what is decoded and touched already. */
		uint64_t times[] = {last - 1, last - 1, last};

		must(states_take(&runs[i], times, 3, NULL, keep, &kept[i]));
	}
	*vec_push(&same.spans) = (struct align_span){1, 1, last};
	begin = now();
	diff = states_compare(kept[0].states[2], kept[1].states[2], &same);
	comparing = now() - begin;
	state_diff_all(diff, &count);
	all = mem_alloc((count + 1) * sizeof(*all));
	for (uint32_t i = 0; i < count; i++)
		all[i] = i;
	begin = now();
	state_diff_changes(diff, all, count, false, &changes);
	changing = now() - begin;
	most = kept[0].at[1] - kept[0].at[0];
	printf("%llu %f %f %f %f %u\n", (unsigned long long)size_of(kept[0].states[2]), decoding,
	       most, comparing, changing, count);
	return 0;
}
