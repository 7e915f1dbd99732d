#include <stdio.h>

struct flags {
	unsigned a : 3, b : 5, c : 9;
};

int main(void)
{
	struct flags f;
	unsigned mask;
	f.a = 1;
	f.b = 2;
	f.c = 3;
	mask = f.a | f.b << 3;
	if (mask & 1)
		printf("%u\n", mask + f.c);
	return 0;
}
