#include <alloca.h>
#include <stdio.h>
#include <string.h>
static int total(int n, int a[n])
{
	int copy[n], s = 0;
	memcpy(copy, a, n * sizeof(*a));
	for (int i = 0; i < n; i++)
		s += copy[i];
	return s;
}
int main(int argc, char **argv)
{
	int rows = argc + 1, m[rows][3], *p = alloca(4 * sizeof(int));
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < 3; j++)
			m[i][j] = i * j;
	for (int i = 0; i < 4; i++)
		p[i] = i;
	printf("%d %d\n", total(3, m[rows - 1]), total(4, p));
	return 0;
}
