// run: 3
// run: 4
#include <stdio.h>
#include <stdlib.h>

static int depth;

static int down(int n, int *sum)
{
	int here = n * 10;

	depth++;
	*sum += n;
	if (depth == 3) {
		int n = 1;

		n += here; /*deep*/
		return n;
	}
	here = down(n - 1, sum);
	return here + 1; /*back*/
}

static void array(int n)
{
	int values[n];

	for (int i = 0; i < n; i++)
		values[i] = i * n;
	depth = n; /*vla*/
	for (int i = 0; i < n; i++)
		printf("%d ", values[i]);
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]), sum = 0, unset;

	if (n == 4)
		unset = 1;
	printf("%d ", down(n, &sum));
	array(n);
	sum += n == 4 ? unset : 0; /*end*/
	printf("%d %d %d\n", sum, n, depth);
	return 0;
}
