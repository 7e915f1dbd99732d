/* Mean and distance from it. */
#include <stdio.h>
#include <stdlib.h>

static double mean(const int *numbers, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += numbers[i];
	return sum / count;
}

int main(int argc, char **argv)
{
	static int numbers[32];
	int count = argc - 1;
	double middle;

	for (int i = 0; i < count && i < 32; i++)
		numbers[i] = atoi(argv[i + 1]);
	middle = mean(numbers, count);
	printf("mean %.3f\n", middle);
	for (int i = 0; i < count && i < 32; i++)
		printf("%d: %.3f\n", numbers[i], numbers[i] - middle);
	return 0;
}
