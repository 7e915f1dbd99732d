/* The greatest number so far, after each. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int greatest = 0, steps = 0;

	for (int i = 1; i < argc; i++) {
		int value = atoi(argv[i]);

		steps++;
		greatest = value;
		printf("%d ", greatest);
	}
	printf("after %d\n", steps);
	return 0;
}
