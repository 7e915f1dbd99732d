/*
 * aligns FOLDER A B: aligns tapes A and B of the session in FOLDER and prints, on one line: statements of both
 * runs, those of the first that are aligned, forks, CPU seconds, peak memory in KB without the tapes.
 * Linked with hence (scripts/build-tool).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "align/align.h"

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "hence: align: %s\n", error->message);
	exit(1);
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Memory of its own: tapes are files that are mapped. */
static long own_memory(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kb = 0;

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "RssAnon:", 8))
			kb = atol(line + 8);
	if (file)
		fclose(file);
	return kb;
}

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
