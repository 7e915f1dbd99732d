/* sched [SLICE]: runs the jobs of standard input. What stands behind a '#' is a comment. */
#include <stdlib.h>
#include <string.h>
#include "sched.h"

/* Caller frees it. */
static char *without_comment(const char *line)
{
	return strndup(line, strcspn(line, "#\n"));
}

static void read_jobs(struct scheduler *scheduler, FILE *in)
{
	char line[100];
	while (fgets(line, sizeof line, in)) {
		char *text = without_comment(line);
		struct job *job = job_parse(text);
		if (job)
			scheduler_add(scheduler, job);
		free(text);
	}
}

int main(int argc, char **argv)
{
	struct scheduler scheduler;
	int slice = argc > 1 ? atoi(argv[1]) : 3;
	if (slice < 1)
		return 2;
	scheduler_init(&scheduler, slice);
	read_jobs(&scheduler, stdin);
	scheduler_run(&scheduler, stdout);
	return 0;
}
