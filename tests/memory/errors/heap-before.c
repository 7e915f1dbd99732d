// asan: heap-buffer-overflow
// valgrind: Invalid read
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *line = calloc(16, 1); /*allocated*/
	long end = (long)strlen(line) - 1; /*index*/
	if (line[end] == '\n') /*error*/
		line[end] = 0;
	puts("read");
	free(line);
	return 0;
}
