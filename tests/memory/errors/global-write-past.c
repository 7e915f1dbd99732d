// asan: global-buffer-overflow
// valgrind: none (globals lie beside each other)
#include <stdio.h>

static int seen[10]; /*declared*/
static int other[10];

int main(void)
{
	int digits[] = {3, 1, 4, 10, 5};
	for (int i = 0; i < 5; i++)
		seen[digits[i]]++; /*error*/
	printf("%d %d\n", seen[3], other[9]);
	return 0;
}
