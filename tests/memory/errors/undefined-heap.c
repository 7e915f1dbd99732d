// asan: none (it does not look at undefined values)
// valgrind: Conditional jump or move depends on uninitialised
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	int *flags = malloc(10 * sizeof(*flags)); /*allocated*/
	int count = 0;
	for (int i = 0; i < 9; i++)
		flags[i] = i & 1;
	for (int i = 0; i < 10; i++)
		if (flags[i] == 1) /*error*/
			count++;
	printf("%d\n", count);
	free(flags);
	return 0;
}
