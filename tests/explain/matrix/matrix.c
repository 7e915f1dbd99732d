/* The product of a matrix, given by rows, and the vector (1, 10). */
#include <stdio.h>
#include <stdlib.h>

#define N 2

static int matrix[N][N];
static int vector[N] = {1, 10};
static int product[N];

static void multiply(void)
{
	for (int i = 0; i < N; i++) {
		int sum = 0;
		for (int j = 0; j < N; j++)
			sum += matrix[j][i] * vector[j];
		product[i] = sum;
	}
}

int main(int argc, char *argv[])
{
	if (argc != N * N + 1)
		return 2;
	for (int i = 0; i < N * N; i++)
		matrix[i / N][i % N] = atoi(argv[i + 1]);
	multiply();
	for (int i = 0; i < N; i++)
		printf("%d\n", product[i]);
	return 0;
}
