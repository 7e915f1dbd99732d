/* y alone explains the result; but a run in which only y is changed finds that y and z do not belong
   together, and does what neither run does. */
#include <stdio.h>
#include <stdlib.h>

static int base, y, z, result;

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	base = atoi(argv[1]) + 1;
	y = base * 2;
	z = base * 3;
	if (y * 3 != z * 2)
		result = -1;
	else
		result = y * 10;
	printf("%d\n", result);
	return 0;
}
