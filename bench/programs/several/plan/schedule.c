#include <assert.h>
#include <string.h>

#include "plan.h"

struct schedule {
	struct queue ready, running;
	bool busy[MOST_WORKERS];
	int now;
};

/* The one with the higher priority, then the longer one, then by name. */
static bool more_urgent(const struct job *a, const struct job *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a->minutes != b->minutes)
		return a->minutes > b->minutes;
	return strcmp(a->name, b->name) < 0;
}

static bool ends_earlier(const struct job *a, const struct job *b)
{
	if (a->end != b->end)
		return a->end < b->end;
	return a->worker < b->worker;
}

static bool all_done(const struct edge *needs)
{
	for (; needs; needs = needs->next)
		if (needs->job->state != DONE)
			return false;
	return true;
}

static void start(struct schedule *s, struct job *job, int worker)
{
	assert(job->state == WAITING && all_done(job->needs));
	job->state = RUNNING;
	job->worker = worker;
	job->begin = s->now;
	job->end = s->now + job->minutes;
	s->busy[worker] = true;
	queue_push(&s->running, job);
}

static void finish(struct schedule *s, struct job *job)
{
	s->now = job->end;
	s->busy[job->worker] = false;
	job->state = DONE;
	for (struct edge *e = job->needed_by; e; e = e->next)
		if (--e->job->missing == 0 && e->job->defined)
			queue_push(&s->ready, e->job);
}

int plan_schedule(struct plan *p)
{
	struct schedule s = {.ready.before = more_urgent, .running.before = ends_earlier};
	struct job *job;
	int done = 0;

	for (int i = 0; i < p->count; i++)
		if (p->jobs[i].defined && p->jobs[i].missing == 0)
			queue_push(&s.ready, &p->jobs[i]);
	for (;;) {
		for (int worker = 0; worker < p->workers; worker++) {
			if (s.busy[worker])
				continue;
			job = queue_pop(&s.ready);
			if (!job)
				break;
			start(&s, job, worker);
		}
		job = queue_pop(&s.running);
		if (!job)
			return done;
		finish(&s, job);
		done++;
	}
}
