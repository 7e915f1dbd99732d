// asan: none (it does not look at undefined values)
// valgrind: Conditional jump or move depends on uninitialised
#include <stdio.h>

int main(void)
{
	int width; /*declared*/
	sscanf("wide", "%d", &width); /*given*/
	if (width > 10) /*error*/
		puts("wide");
	return 0;
}
