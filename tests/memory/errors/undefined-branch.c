// asan: none (it does not look at undefined values)
// valgrind: Conditional jump or move depends on uninitialised
#include <stdio.h>

static int level(int verbose)
{
	int result; /*declared*/
	if (verbose)
		result = 2;
	if (result > 1) /*error*/
		return 1;
	return 0;
}

int main(void)
{
	printf("%d\n", level(0) * 0);
	return 0;
}
