/* Plugin two: uses the host's own symbols, and libc's callbacks. */
#include <stdlib.h>

#include "plugin.h"

static int compare(const void *a, const void *b)
{
	host_add(1);
	return *(const int *)a - *(const int *)b;
}

static int work(int v)
{
	int n[8];

	for (int i = 0; i < 8; i++)
		n[i] = host_add(i * v) % 50;
	qsort(n, 8, sizeof(int), compare);
	return n[0] * 10000 + n[4] * 100 + n[7];
}

const struct plugin *plugin_entry(int (*callback)(int));

const struct plugin *plugin_entry(int (*callback)(int))
{
	static struct plugin self = {"two", work};

	host_total += callback(3);
	return &self;
}
