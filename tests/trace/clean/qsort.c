#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { const char *name; int count; };
static int by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	return strcmp(x->name, y->name);
}
static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
int main(void)
{
	struct entry list[] = {{"pear", 3}, {"apple", 1}, {"fig", 2}}, key = {"fig", 0}, *found;
	int big[200];
	for (int i = 0; i < 200; i++)
		big[i] = i * 37 % 200;
	qsort(list, 3, sizeof(list[0]), by_name);
	qsort(big, 200, sizeof(big[0]), by_value);
	found = bsearch(&key, list, 3, sizeof(list[0]), by_name);
	printf("%s %d %d %d\n", list[0].name, found ? found->count : -1, big[0], big[199]);
	return 0;
}
