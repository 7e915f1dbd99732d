/*
 * duals MODELS FOLDER A B: the dual slice of tapes A and B of the session in FOLDER, from their last statements. Prints,
 * on one line: statements of both runs, instructions of both that were kept, those in the slice, edges, CPU seconds,
 * peak memory in KB without the tapes. Linked with hence (scripts/build-tool).
 */
#include "measure.h"

#include "slice/dual.h"

int main(int argc, char **argv)
{
	struct recording runs[2] = {0};
	uint64_t kept = 0, in = 0, edges = 0;
	struct dual_seed seed = {0};
	struct alignment al;
	struct dual *dual;
	double begin, end;
	size_t size;
	void *table;

	if (argc != 5) {
		fprintf(stderr, "usage: duals MODELS FOLDER A B\n");
		return 2;
	}
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	runs[0].modules = modules_create();
	runs[0].folder = argv[2];
	runs[0].table = table;
	runs[1] = runs[0];
	runs[0].tape = (uint32_t)atoi(argv[3]);
	runs[1].tape = (uint32_t)atoi(argv[4]);
	must(align_runs(&runs[0], &runs[1], NULL, &al));
	seed.times[0] = al.a_statements;
	seed.times[1] = al.b_statements;
	begin = cpu_seconds();
	must(dual_find(&runs[0], &runs[1], &al, &seed, 1, NULL, &dual));
	end = cpu_seconds();
	for (unsigned side = 0; side < 2; side++) {
		uint32_t first, behind, count;

		execution_kept(dual_execution(dual, side), &first, &behind);
		for (uint32_t i = first; i < behind; i++)
			in += dual_has(dual, side, i);
		kept += behind - first;
		dual_edges(dual, side, &count);
		edges += count;
	}
	printf("%llu %llu %llu %llu %.3f %ld\n",
	       (unsigned long long)(al.a_statements + al.b_statements), (unsigned long long)kept,
	       (unsigned long long)in, (unsigned long long)edges, end - begin, own_memory());
	return 0;
}
