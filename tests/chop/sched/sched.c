#include <assert.h>
#include "sched.h"

void scheduler_init(struct scheduler *scheduler, int slice)
{
	for (int i = 0; i < LEVELS; i++) {
		scheduler->queues[i].first = NULL;
		scheduler->queues[i].end = &scheduler->queues[i].first;
	}
	scheduler->slice = slice;
	scheduler->now = 0;
}

void scheduler_add(struct scheduler *scheduler, struct job *job)
{
	assert(job->level >= 0 && job->level < LEVELS);
	struct queue *queue = &scheduler->queues[job->level];
	job->next = NULL;
	*queue->end = job;
	queue->end = &job->next;
}

static struct job *take(struct scheduler *scheduler)
{
	for (int i = 0; i < LEVELS; i++) {
		struct queue *queue = &scheduler->queues[i];
		struct job *job = queue->first;
		if (!job)
			continue;
		queue->first = job->next;
		if (!queue->first)
			queue->end = &queue->first;
		return job;
	}
	return NULL;
}

/* A job that needs more than a slice of time goes down a level. */
void scheduler_run(struct scheduler *scheduler, FILE *out)
{
	struct job *job;
	while ((job = take(scheduler))) {
		int time = job->work < scheduler->slice ? job->work : scheduler->slice;
		scheduler->now += time;
		job->work -= time;
		if (job->work) {
			if (job->level < LEVELS - 1)
				job->level++;
			scheduler_add(scheduler, job);
			continue;
		}
		fprintf(out, "%s is done at %d\n", job->name, scheduler->now);
		job_free(job);
	}
}
