/* A league table: by points, then by goals, then by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct team {
	char name[12];
	int points, scored, conceded;
};

static int by_rank(const void *left, const void *right)
{
	const struct team *a = left, *b = right;
	if (a->points != b->points)
		return b->points - a->points;
	int difference = (a->scored - a->conceded) - (b->scored - b->conceded);
	if (difference != 0)
		return difference;
	return strcmp(a->name, b->name);
}

static int read_team(const char *text, struct team *out)
{
	return sscanf(text, "%11[^:]:%d:%d:%d", out->name, &out->points, &out->scored, &out->conceded) == 4;
}

int main(int argc, char **argv)
{
	struct team teams[16];
	int count = 0;
	for (int i = 1; i < argc && count < 16; i++)
		if (read_team(argv[i], &teams[count]))
			count++;
	qsort(teams, (size_t)count, sizeof *teams, by_rank);
	for (int i = 0; i < count; i++)
		printf("%d. %s %d\n", i + 1, teams[i].name, teams[i].points);
	return 0;
}
