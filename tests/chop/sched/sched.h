/* A processor shared by jobs of several priorities. */
#ifndef SCHED_H
#define SCHED_H

#include <stdio.h>

#define LEVELS 4

struct job {
	struct job *next;
	char *name;
	int work;  /* units of time that are left */
	int level; /* 0 is served first */
	int waited;
};

struct queue {
	struct job *first, **end;
};

struct scheduler {
	struct queue queues[LEVELS];
	int slice;
	int now;
};

/* NULL: the line is no job. Lines are 'NAME WORK' or 'NAME WORK LEVEL'. */
struct job *job_parse(const char *line);
void job_free(struct job *job);

void scheduler_init(struct scheduler *scheduler, int slice);
void scheduler_add(struct scheduler *scheduler, struct job *job);
void scheduler_run(struct scheduler *scheduler, FILE *out);

#endif
