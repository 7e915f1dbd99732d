/* For bench/tree: a series is smoothed again and again, and its ends should stay; the last one does not. smooth ROUNDS; a round is
   about 3,500 executed IR instructions. */
#include <assert.h>
#include <stdlib.h>

#define COUNT 32

static int mean(const int *values, int from, int to)
{
	int sum = 0;
	for (int i = from; i <= to; i++)
		sum += values[i];
	return sum / (to - from + 1);
}

static void smooth(int *values)
{
	int next[COUNT];
	for (int i = 0; i < COUNT; i++)
		next[i] = i == 0 || i == COUNT - 1 ? values[0] : mean(values, i - 1, i + 1);
	for (int i = 0; i < COUNT; i++)
		values[i] = next[i];
}

int main(int argc, char **argv)
{
	int values[COUNT], rounds = argc > 1 ? atoi(argv[1]) : 1;
	for (int i = 0; i < COUNT; i++)
		values[i] = i % 7 * 1000;
	for (int i = 0; i < rounds; i++)
		smooth(values);
	assert(values[COUNT - 2] > 1500);
	return 0;
}
