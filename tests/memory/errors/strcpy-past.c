// asan: heap-buffer-overflow
// valgrind: Invalid write
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	const char *name = "twenty-four characters !";
	char *copy = malloc(strlen(name)); /*allocated*/
	strcpy(copy, name); /*error*/
	puts(copy);
	free(copy);
	return 0;
}
