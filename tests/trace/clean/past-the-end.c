#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* A pointer may stand one past the end, and may be compared and subtracted there. */
static int sum(const int *from, const int *end)
{
	int s = 0;
	while (from < end)
		s += *from++;
	return s;
}
int main(void)
{
	int a[5] = {1, 2, 3, 4, 5}, b[5] = {0}, *h = calloc(5, sizeof(*h));
	char text[] = "abc", *p = text + sizeof(text);
	memcpy(h, a, sizeof(a));
	while (p > text)
		if (*--p == 'c')
			break;
	printf("%d %d %d %ld\n", sum(a, a + 5), sum(b, &b[5]), sum(h, h + 5), p - text);
	free(h);
	return 0;
}
