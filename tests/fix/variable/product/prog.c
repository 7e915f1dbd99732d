/* A 2 x 2 matrix times itself. */
#include <stdio.h>
#include <stdlib.h>

static void multiply(int a[2][2], int b[2][2], int c[2][2])
{
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
			int sum = 0;

			for (int k = 0; k < 2; k++)
				sum += a[i][k] * b[k][i];
			c[i][j] = sum;
		}
}

int main(int argc, char **argv)
{
	int a[2][2] = {{0}}, c[2][2] = {{0}};

	for (int i = 0; i < 4; i++)
		a[i / 2][i % 2] = atoi(argv[i + 1]);
	multiply(a, a, c);
	for (int i = 0; i < 2; i++)
		printf("%d %d\n", c[i][0], c[i][1]);
	return 0;
}
