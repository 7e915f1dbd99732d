#include <stdlib.h>
int main(void)
{
	int *a = malloc(3 * sizeof(int)), sum = 0;
	for (int i = 0; i < 3; i++)
		a[i] = i;
	for (int i = 0; i <= 3; i++)
		sum += a[i] > 0;
	free(a);
	return sum == 77;
}
