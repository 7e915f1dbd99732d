/* The example of failure-inducing chains: two ways lead from x to the output, and each is enough. */
#include <stdio.h>
#include <stdlib.h>

static int x, y, s, t;

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	x = atoi(argv[1]) + 1;
	y = x << 1;
	if (x > 0)
		t = x << 2;
	else
		t = 0;
	s = y << 1;
	printf("%d\n", s + t > 0);
	return 0;
}
