#include <stdio.h>
#include <stdlib.h>
/* Writing one bit-field reads the unit that it shares with others, which have no value yet. */
struct flags { unsigned a : 3, b : 5; int c : 4; unsigned long d : 40; _Bool e : 1; };
int main(void)
{
	struct flags f, *h = malloc(sizeof(*h));
	f.a = 5;
	f.b = 9;
	f.c = -3;
	h->d = 0x123456789;
	h->e = 1;
	f.a++;
	if (f.a == 6 && f.b == 9 && f.c < 0 && h->e)
		printf("%u %u %d %lx\n", f.a, f.b, f.c, (unsigned long)h->d);
	free(h);
	return 0;
}
