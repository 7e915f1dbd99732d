/* A load whose value nobody uses is dropped by the code generator, at -O0 too: a program that does
   this to a null pointer lives, and must live when it is recorded. */
#include <stdio.h>

static int use(int *p, int n)
{
	return (*p, n + 1);
}

int main(void)
{
	int *null = NULL, five = 5;

	int **indirect = &null, x = 3;

	*null;
	**indirect;
	*null &x;
	(*null + 2) < x;
	(float)*null;
	printf("%d %d\n", use(null, 1), use(&five, 2));
	return 0;
}
