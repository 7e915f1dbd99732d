/* GNU indirect functions: the resolver runs before everything else, so nothing is set up for it. */
#include <stdio.h>

static int fast(int x)
{
	return x * 2;
}

static int slow(int x)
{
	int r = 0;

	while (x-- > 0)
		r += 2;
	return r;
}

static int choose(void)
{
	return sizeof(long) == 8;
}

static int (*resolve_twice(void))(int)
{
	return choose() ? fast : slow;
}

static int (*resolve_slow(void))(int)
{
	return slow;
}

int twice(int x) __attribute__((ifunc("resolve_twice")));
int twice_slow(int x) __attribute__((ifunc("resolve_slow")));

int main(void)
{
	int (*p)(int) = twice_slow;

	printf("%d %d %d\n", twice(21), twice_slow(4), p(5));
	printf("%d\n", p == twice_slow);
	return 0;
}
