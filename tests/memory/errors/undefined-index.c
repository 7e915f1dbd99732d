// asan: none (it does not look at undefined values)
// valgrind: Use of uninitialised value
#include <stdio.h>

static int table[256];

int main(void)
{
	unsigned char key; /*declared*/
	table[key] = 1; /*error*/
	printf("%d\n", table[3] * 0);
	return 0;
}
