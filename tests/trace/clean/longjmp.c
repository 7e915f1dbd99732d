#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf env;
static void deep(int n, int *p)
{
	int local[4] = {n, n, n, n};
	if (n == 0)
		longjmp(env, *p);
	deep(n - 1, &local[2]);
}
int main(void)
{
	int seven = 7;
	volatile int rounds = 0;
	int code = setjmp(env);
	rounds++;
	if (rounds < 3)
		deep(rounds * 3, &seven);
	printf("%d %d\n", code, rounds);
	return 0;
}
