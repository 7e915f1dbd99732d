// asan: heap-use-after-free
// valgrind: Invalid write
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	int *counter = calloc(8, sizeof(*counter)); /*allocated*/
	counter[3] = 1;
	free(counter); /*freed*/
	counter[5] = 2; /*error*/
	puts("counted");
	return 0;
}
