/* Dies by calling through a null pointer in a table. */
#include <stdio.h>

static int one(int x)
{
	return x + 1;
}

static int two(int x)
{
	return x + 2;
}

static int (*table[4])(int) = {one, two};

int main(void)
{
	int x = 0;

	setvbuf(stdout, NULL, _IOLBF, 1000);
	for (int i = 0; i < 4; i++) {
		x = table[i](x);
		printf("%d\n", x);
	}
	return 0;
}
