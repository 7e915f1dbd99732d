/* cache LIMIT NAME...: uses names one after the other. '+NAME' keeps it, '-NAME' lets it go. */
#include <stdio.h>
#include <stdlib.h>
#include "cache.h"

static void show(const char *event, const char *a, const char *b)
{
	static int number;
	printf("%d. %s %s", ++number, event, a);
	if (b)
		printf(" by %s", b);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct cache cache;
	if (argc < 2 || atoi(argv[1]) < 1) {
		fprintf(stderr, "usage: cache LIMIT NAME...\n");
		return 2;
	}
	cache_init(&cache, atoi(argv[1]));
	for (int i = 2; i < argc; i++) {
		if (*argv[i] == '+' || *argv[i] == '-')
			cache_pin(&cache, argv[i] + 1, *argv[i] == '+');
		else
			cache_get(&cache, argv[i], show);
	}
	printf("%u hits, %u misses\n", cache.hits, cache.misses);
	cache_deinit(&cache);
	return 0;
}
