/* Counts numbers that are small, large, or neither. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int small = 0, large = 0, others = 0;

	for (int i = 1; i < argc; i++) {
		int value = atoi(argv[i]);

		if (value < 10)
			small++;
		if (value > 99)
			large++;
		else
			others++;
		printf("%d: %d %d %d\n", value, small, large, others);
	}
	return 0;
}
