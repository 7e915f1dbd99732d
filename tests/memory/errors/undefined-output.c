// asan: none (it does not look at undefined values)
// valgrind: uninitialised
#include <stdio.h>

int main(void)
{
	int sum; /*declared*/
	for (int i = 0; i < 4; i++)
		sum += i; /*index*/
	printf("%d\n", sum); /*error*/
	return 0;
}
