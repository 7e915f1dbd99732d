#include <stdlib.h>
#include <string.h>
#include "sched.h"

struct job *job_parse(const char *line)
{
	char name[32];
	int work, level;
	int count = sscanf(line, "%31s %d %d", name, &work, &level);
	if (count < 2 || work < 1)
		return NULL;
	struct job *job = malloc(sizeof *job);
	job->next = NULL;
	job->name = strdup(name);
	job->work = work;
	job->waited = 0;
	if (count == 3)
		job->level = level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
	return job;
}

void job_free(struct job *job)
{
	free(job->name);
	free(job);
}
