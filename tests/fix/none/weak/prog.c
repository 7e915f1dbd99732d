/* Is one number a multiple of the other? The test is the wrong way round, and one word is printed. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int a = atoi(argv[1]), b = atoi(argv[2]);

	if (a > b && a % b == 0)
		printf("yes\n");
	else
		printf("no\n");
	return 0;
}
