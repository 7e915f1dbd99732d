#include <stdio.h>
#include <string.h>

/* A matrix as one row of all its elements, as many programs have it. */
int main(void)
{
	int grid[3][4];
	int *all = &grid[0][0], sum = 0;
	for (int i = 0; i < 12; i++)
		all[i] = i;
	for (int i = 0; i < 12; i++)
		sum += grid[0][i];
	printf("%d\n", sum);
	return 0;
}
