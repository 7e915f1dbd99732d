/* Records that are checked before one of them is used: a run in which only some are changed finds that they do not fit their
   checks. Many values differ, and one is needed. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 24

static int key;
static int values[COUNT], checks[COUNT];

static void fill(void)
{
	for (int i = 0; i < COUNT; i++) {
		values[i] = 100 + i * key;
		checks[i] = values[i] ^ 0x55;
	}
}

static int are_good(void)
{
	int good = 1;
	for (int i = 0; i < COUNT; i++) {
		if ((values[i] ^ 0x55) != checks[i])
			good = 0;
	}
	return good;
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	key = atoi(argv[1]) + 1;
	fill();
	if (!are_good()) {
		printf("records are broken\n");
		return 1;
	}
	int result = values[7];
	printf("%d\n", result);
	return 0;
}
