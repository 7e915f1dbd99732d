#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	int *a = NULL, n = 0, room = 0, sum = 0;
	char *text = strdup("one");
	for (int i = 0; i < 100; i++) {
		if (n == room) {
			room = room ? 2 * room : 1;
			a = realloc(a, room * sizeof(*a));
		}
		a[n++] = i;
	}
	for (int i = 0; i < n; i++)
		sum += a[i];
	a = realloc(a, 10 * sizeof(*a));
	text = realloc(text, 100);
	strcat(text, " and two");
	printf("%d %d %s\n", sum, a[9], text);
	free(a);
	free(text);
	return 0;
}
