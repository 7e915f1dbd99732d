/* What programs of benchmarks measure of themselves. */
#ifndef HENCE_BENCH_MEASURE_H
#define HENCE_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"

/* Says what is wrong, and ends. */
static inline void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "hence: bench: %s\n", error->message);
	exit(1);
}

static inline double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Memory of its own: tapes are files that are mapped. */
static inline long own_memory(void)
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

#endif
