/* Dies by a division by zero. */
#include <stdio.h>

static int mean(const int *v, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

int main(void)
{
	static const int v[] = {4, 8, 15, 16, 23, 42};

	for (int n = 6; n >= 0; n -= 3) {
		fprintf(stderr, "mean of %d is ", n);
		fprintf(stderr, "%d\n", mean(v, n));
	}
	return 0;
}
