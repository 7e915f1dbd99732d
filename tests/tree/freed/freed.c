/* Timers in a list: those that are due are removed. */
#include <stdio.h>
#include <stdlib.h>

struct timer {
	struct timer *next;
	int due, number;
};

static struct timer *timers;

static void add(int due, int number)
{
	struct timer *timer = malloc(sizeof *timer);
	if (!timer)
		exit(2);
	timer->due = due;
	timer->number = number;
	timer->next = timers;
	timers = timer;
}

static void drop(struct timer *timer)
{
	struct timer **link = &timers;
	while (*link != timer)
		link = &(*link)->next;
	*link = timer->next;
	free(timer);
}

static int run_due(int now)
{
	int count = 0;
	for (struct timer *t = timers; t; t = t->next) {
		if (t->due > now)
			continue;
		count++;
		drop(t);
	}
	return count;
}

int main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		add(atoi(argv[i]), i - 1);
	int ran = run_due(argc > 1 ? atoi(argv[1]) : 0);
	printf("%d ran\n", ran);
	for (struct timer *t = timers; t; t = t->next)
		printf("timer %d is due at %d\n", t->number, t->due);
	return 0;
}
