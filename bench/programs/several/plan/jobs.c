#include <stdlib.h>
#include <string.h>

#include "plan.h"

struct job *plan_job(struct plan *p, const char *name)
{
	struct job *job;

	for (int i = 0; i < p->count; i++)
		if (strcmp(p->jobs[i].name, name) == 0)
			return &p->jobs[i];
	if (p->count == MOST_JOBS)
		return NULL;
	job = &p->jobs[p->count++];
	memset(job, 0, sizeof *job);
	strncpy(job->name, name, NAME_SIZE - 1);
	job->worker = -1;
	return job;
}

/* Others may have named the job before. */
void job_define(struct job *job, int minutes, int priority)
{
	job->defined = true;
	job->state = WAITING;
	job->minutes = minutes;
	job->priority = priority;
	job->missing = 0;
	job->begin = job->end = 0;
}

static bool add_edge(struct edge **list, struct job *job)
{
	struct edge *edge = malloc(sizeof *edge);

	if (!edge)
		return false;
	edge->job = job;
	edge->next = *list;
	*list = edge;
	return true;
}

bool job_needs(struct job *job, struct job *other)
{
	if (!add_edge(&job->needs, other) || !add_edge(&other->needed_by, job))
		return false;
	job->missing++;
	return true;
}

static void free_edges(struct edge *edge)
{
	while (edge) {
		struct edge *next = edge->next;

		free(edge);
		edge = next;
	}
}

void plan_free(struct plan *p)
{
	for (int i = 0; i < p->count; i++) {
		free_edges(p->jobs[i].needs);
		free_edges(p->jobs[i].needed_by);
	}
}
