/* Makes a plan of directories: a/b/c becomes three entries with their modes, as mkdir -p -m would. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

static int parse_mode(const char *text, int *mode)
{
	char *end;
	long value = strtol(text, &end, 8);
	if (*end || value < 0 || value > 07777)
		return -1;
	*mode = (int)value;
	return 0;
}

static int run(struct plan *plan, int count, char **paths, int mode, int mask)
{
	for (int i = 0; i < count; i++)
		if (plan_path(plan, paths[i], mode, mask))
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct plan plan = {.count = 0};
	int mode = 0777, mask = 022, first = 1;
	if (argc > 2 && !strcmp(argv[1], "-m")) {
		if (parse_mode(argv[2], &mode))
			return 2;
		mask = 0;
		first = 3;
	}
	if (run(&plan, argc - first, argv + first, mask, mode))
		return 1;
	for (int i = 0; i < plan.count; i++)
		printf("%04o %s\n", plan.entries[i].mode, plan.entries[i].path);
	return 0;
}
