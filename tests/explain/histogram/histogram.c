/* Counts the numbers of a file by size. */
#include <stdio.h>

#define GROUPS 5

struct histogram {
	int count[GROUPS]; /* of 0 and 1, of 2 and 3, ... */
	int total;
};

static void add(struct histogram *histogram, int number)
{
	int group = number / 2;
	histogram->count[group]++;
	histogram->total++;
}

static void print(const struct histogram *histogram)
{
	printf("%d numbers\n", histogram->total);
	for (int i = 0; i < GROUPS; i++)
		printf("%d to %d: %d\n", 2 * i, 2 * i + 1, histogram->count[i]);
}

int main(int argc, char *argv[])
{
	struct histogram histogram = {0};
	int number;
	if (argc != 2)
		return 2;
	FILE *file = fopen(argv[1], "r");
	if (!file)
		return 3;
	while (fscanf(file, "%d", &number) == 1)
		add(&histogram, number);
	fclose(file);
	print(&histogram);
	return 0;
}
