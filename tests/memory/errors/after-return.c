// asan: stack-use-after-return
// valgrind: Conditional jump or move depends on uninitialised
#include <stdio.h>

static int *fresh(void)
{
	int value[4] = {1, 2, 3, 4}; /*declared*/
	int *pointer = value;
	return pointer;
}

int main(void)
{
	int *first = fresh();
	if (first[1] > 100) /*error*/
		puts("large");
	return 0;
}
