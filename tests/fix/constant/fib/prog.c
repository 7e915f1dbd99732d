/* The first Fibonacci numbers, by recursion. */
#include <stdio.h>
#include <stdlib.h>

static int fib(int n)
{
	if (n < 3)
		return n;
	return fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
	int last = atoi(argv[1]);

	for (int i = 0; i <= last; i++)
		printf("fib(%d) = %d\n", i, fib(i));
	return 0;
}
