/* Both parts of a sum differ, but one of them decides. */
#include <stdio.h>
#include <stdlib.h>

static int x, large, small;

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	x = atoi(argv[1]) + 2;
	large = x * 10;
	small = x;
	if (large + small > 40)
		printf("much\n");
	else
		printf("little\n");
	return 0;
}
