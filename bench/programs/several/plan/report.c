#include <stdio.h>

#include "plan.h"

static void print_time(int minutes)
{
	printf("%3d:%02d", minutes / 60, minutes % 60);
}

static void print_worker(const struct plan *p, int worker)
{
	int busy = 0, now = -1;

	printf("worker %d\n", worker + 1);
	for (;;) {
		const struct job *next = NULL;

		for (int i = 0; i < p->count; i++) {
			const struct job *job = &p->jobs[i];

			if (job->state == DONE && job->worker == worker && job->begin > now &&
			    (!next || job->begin < next->begin))
				next = job;
		}
		if (!next)
			break;
		print_time(next->begin);
		print_time(next->end);
		printf("  %s\n", next->name);
		busy += next->end - next->begin;
		now = next->begin;
	}
	printf("busy  ");
	print_time(busy);
	printf("\n");
}

void report_print(const struct plan *p, int done)
{
	int end = 0;

	for (int worker = 0; worker < p->workers; worker++)
		print_worker(p, worker);
	for (int i = 0; i < p->count; i++) {
		const struct job *job = &p->jobs[i];

		if (job->end > end)
			end = job->end;
		if (job->state != DONE)
			printf("not done: %s%s\n", job->name, job->defined ? "" : " (what is it?)");
	}
	printf("%d of %d jobs, all done at", done, p->count);
	print_time(end);
	printf("\n");
}
