/*
 * Jobs that wait for each other, and the order in which some workers do them.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>

enum { NAME_SIZE = 16, MOST_JOBS = 64, MOST_WORKERS = 8 };

enum job_state { WAITING, RUNNING, DONE };

struct edge {
	struct job *job;
	struct edge *next;
};

struct job {
	char name[NAME_SIZE];
	bool defined;
	enum job_state state;
	int minutes, priority;
	int missing; /* jobs it waits for that are not done */
	struct edge *needs, *needed_by;
	int begin, end;
	int worker;
};

struct plan {
	struct job jobs[MOST_JOBS];
	int count;
	int workers;
};

/* jobs.c */
struct job *plan_job(struct plan *p, const char *name); /* a new one if there is none; NULL: full */
void job_define(struct job *job, int minutes, int priority);
bool job_needs(struct job *job, struct job *other); /* false: no memory */
void plan_free(struct plan *p);

/* parse.c: one line. NULL if all is well, or what is wrong. */
const char *parse_line(struct plan *p, char *line);

/* queue.c: a heap. The first is what must not be later than any other. */
struct queue {
	struct job *jobs[MOST_JOBS];
	int count;
	bool (*before)(const struct job *a, const struct job *b);
};

void queue_push(struct queue *q, struct job *job);
struct job *queue_pop(struct queue *q); /* NULL: it is empty */

/* schedule.c: returns the number of jobs that could be done. */
int plan_schedule(struct plan *p);

/* report.c */
void report_print(const struct plan *p, int done);

#endif
