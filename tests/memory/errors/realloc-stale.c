// asan: heap-use-after-free
// valgrind: Invalid write
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *text = malloc(8); /*allocated*/
	char *wall = malloc(8);
	char *end = text + 7;
	text[0] = 'a';
	text = realloc(text, 4096); /*freed*/
	*end = 0; /*error*/
	printf("%c\n", text[0]);
	free(text);
	free(wall);
	return 0;
}
