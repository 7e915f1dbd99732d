/* A ring of four places: of more numbers the oldest are lost. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 4 };

static int ring[SIZE];
static int used, next;

static void put(int value)
{
	ring[next] = value;
	next = (next + 1) % SIZE;
	if (used <= SIZE)
		used++;
}

static int oldest(void)
{
	assert(used <= SIZE);
	return ring[(next - used + SIZE) % SIZE];
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		put(atoi(argv[i]));
	printf("%d of %d, oldest %d\n", used, argc - 1, oldest());
	return 0;
}
