/*
 * Calls: recursion, structures by value, callbacks, functions through pointers, an end by exit().
 */
#include <stdlib.h>
struct point { long x, y, z; };
static struct point move(struct point p, int by)
{
	p.x += by;
	return p;
}
static int factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
static void finish(int code)
{
	exit(code);
}
int main(void)
{
	struct point here = {1, 2, 3}, there = move(here, 10);
	int numbers[2] = {3, 1}, f = factorial(3) + 1;
	void (*end)(int) = finish;

	qsort(numbers, 2, sizeof(numbers[0]), compare);
	if (there.x == 11 && numbers[0] == 1)
		end(f);
	return 0;
}
