// stdin: unreasonable
// asan: heap-buffer-overflow
// valgrind: Invalid write
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *word = malloc(8); /*allocated*/
	if (scanf("%s", word) == 1) /*error*/
		puts("read");
	free(word);
	return 0;
}
