/* Looks up numbers in a sorted list. */
#include <stdio.h>
#include <stdlib.h>

static int position(const int *sorted, int count, int wanted)
{
	int low = 0, high = count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (sorted[middle] < wanted)
			low = middle;
		else
			high = middle;
	}
	return low < count && sorted[low] == wanted ? low : -1;
}

int main(int argc, char **argv)
{
	int sorted[16], count = 0;
	if (argc < 2)
		return 2;
	for (int i = 2; i < argc && count < 16; i++)
		sorted[count++] = atoi(argv[i]);
	printf("%d\n", position(sorted, count, atoi(argv[1])));
	return 0;
}
