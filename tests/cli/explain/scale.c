/* Scales a number, large ones by too much. Dies of 77; does not like what begins with 5. */
#include <stdio.h>
#include <stdlib.h>
static int scale(int n)
{
	int factor = 2;
	if (n > 9)
		factor = 3;
	return n * factor;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	int result = scale(n);
	printf("result %d\n", result);
	if (n == 77)
		abort();
	return argc > 1 && *argv[1] == '5' ? 4 : 0;
}
