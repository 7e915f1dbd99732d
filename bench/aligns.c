/*
 * aligns FOLDER A B: aligns tapes A and B of the session in FOLDER and prints, on one line: statements of both
 * runs, those of the first that are aligned, forks, CPU seconds, peak memory in KB without the tapes.
 * Linked with hence (scripts/build-tool).
 */
#include "measure.h"

#include "align/align.h"

int main(int argc, char **argv)
{
	struct recording runs[2] = {0};
	struct alignment al;
	uint64_t together = 0;
	double begin, end;

	if (argc != 4) {
		fprintf(stderr, "usage: aligns FOLDER A B\n");
		return 2;
	}
	runs[0].modules = modules_create();
	runs[0].folder = argv[1];
	runs[1] = runs[0];
	runs[0].tape = (uint32_t)atoi(argv[2]);
	runs[1].tape = (uint32_t)atoi(argv[3]);
	begin = cpu_seconds();
	must(align_runs(&runs[0], &runs[1], NULL, &al));
	end = cpu_seconds();
	for (uint32_t i = 0; i < al.spans.size; i++)
		together += al.spans.at[i].count;
	printf("%llu %llu %u %.3f %ld\n", (unsigned long long)(al.a_statements + al.b_statements),
	       (unsigned long long)together, al.forks.size, end - begin, own_memory());
	return 0;
}
