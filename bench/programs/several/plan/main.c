/* Reads jobs and what they need, and prints who does what and when. */
#include <stdio.h>

#include "plan.h"

static struct plan plan = {.workers = 1};

int main(void)
{
	char line[200];

	for (int number = 1; fgets(line, sizeof line, stdin); number++) {
		const char *why = parse_line(&plan, line);

		if (why)
			printf("line %d: %s\n", number, why);
	}
	report_print(&plan, plan_schedule(&plan));
	plan_free(&plan);
	return 0;
}
