/* Marks of a jury, without the best and the worst: prog MARK ... */
#include <stdio.h>
#include <stdlib.h>

#define JUDGES 4 /* five since this year */
#define WORST  0

static int total(char **marks)
{
	int sum = 0, low = 100, high = WORST;

	for (int i = 0; i < JUDGES; i++) {
		int mark = atoi(marks[i]);

		sum += mark;
		low = mark < low ? mark : low;
		high = mark > high ? mark : high;
	}
	return sum - low - high;
}

int main(int argc, char **argv)
{
	int sum;

	if (argc < 2)
		return 0;
	sum = total(argv + 1);
	printf("total %d of %d marks\n", sum, JUDGES - 2);
	printf("mean %.2f\n", (double)sum / (JUDGES - 2));
	return 0;
}
