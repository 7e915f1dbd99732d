#include <stdlib.h>
/* libc does not notice it: seven blocks fill its first cache, and another is freed in between. */
int main(void)
{
	char *cache[7], *a, *b;
	for (int i = 0; i < 7; i++)
		cache[i] = malloc(24);
	a = malloc(24);
	b = malloc(24);
	for (int i = 0; i < 7; i++)
		free(cache[i]);
	free(a);
	free(b);
	free(a);
	return 0;
}
