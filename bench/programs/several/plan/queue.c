#include "plan.h"

static void swap(struct queue *q, int a, int b)
{
	struct job *kept = q->jobs[a];

	q->jobs[a] = q->jobs[b];
	q->jobs[b] = kept;
}

void queue_push(struct queue *q, struct job *job)
{
	int at = q->count++;

	q->jobs[at] = job;
	while (at > 0 && q->before(q->jobs[at], q->jobs[(at - 1) / 2])) {
		swap(q, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

struct job *queue_pop(struct queue *q)
{
	struct job *first = q->jobs[0];
	int at = 0;

	if (q->count == 0)
		return NULL;
	q->jobs[0] = q->jobs[--q->count];
	for (;;) {
		int best = at;

		for (int child = 2 * at + 1; child <= 2 * at + 2 && child < q->count; child++)
			if (q->before(q->jobs[child], q->jobs[best]))
				best = child;
		if (best == at)
			return first;
		swap(q, at, best);
		at = best;
	}
}
