/* rle [SIZE]: packs the first SIZE bytes of standard input and checks that they can be unpacked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rle.h"

#define ROOM 2000

static const char *same(const char *a, size_t size_a, const char *b, size_t size_b)
{
	if (size_a != size_b)
		return "length";
	return memcmp(a, b, size_a) ? "content" : NULL;
}

int main(int argc, char **argv)
{
	char bytes[ROOM], back[ROOM];
	struct run runs[ROOM];
	size_t most = ROOM;
	if (argc > 1)
		most = strtoul(argv[1], NULL, 10);
	size_t size = fread(bytes, 1, most < ROOM ? most : ROOM, stdin);
	size_t count = rle_pack(bytes, size, runs);
	size_t again = rle_unpack(runs, count, back, ROOM);
	const char *wrong = same(bytes, size, back, again);
	printf("%zu bytes, %zu runs\n", size, count);
	if (wrong) {
		printf("unpacked, the %s is not the same\n", wrong);
		return 1;
	}
	return 0;
}
