/* Sums and differences, from left to right. What it does not know ends with status 2. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int value = atoi(argv[1]);

	for (int i = 2; i + 1 < argc; i += 2) {
		char sign = argv[i][0];
		int other = atoi(argv[i + 1]);

		if (sign == '+') {
			value += sign == '-' ? -other : other;
		} else {
			printf("what is %c?\n", sign);
			return 2;
		}
		printf("%d\n", value);
	}
	return 0;
}
