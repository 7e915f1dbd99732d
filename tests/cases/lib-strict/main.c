/* Shared libraries as careful projects build them: all symbols hidden but a few, no undefined ones,
 * one uses the other. */
#include <stdio.h>

int outer_work(int n, int (*f)(int));
int inner_square(int n);

static int twice(int x)
{
	return x * 2;
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		printf("%d ", outer_work(i, twice));
		printf("%d\n", inner_square(i));
	}
	return 0;
}
