// asan: heap-buffer-overflow
// valgrind: Invalid read
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *small = calloc(10, 1), large[64]; /*allocated*/
	memcpy(large, small, 40); /*error*/
	puts(large);
	free(small);
	return 0;
}
