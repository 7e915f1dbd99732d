// asan: attempting free on address
// valgrind: Invalid free()
#include <stdlib.h>

int main(void)
{
	char *text = malloc(64), *at; /*allocated*/
	for (int i = 0; i < 64; i++)
		text[i] = ' ';
	for (at = text; at < text + 16 && *at == ' '; at++)
		continue;
	free(at); /*error*/
	return 0;
}
