/* Which of 2, 3 and 5 divide each number. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int twos = 0, threes = 0;

	for (int i = 1; i < argc; i++) {
		int value = atoi(argv[i]);

		printf("%d", value);
		if (value % 2 == 0) {
			printf(" 2");
			twos++;
		} else if (value % 3 == 0) {
			printf(" 3");
			threes++;
		}
		printf(";\n");
	}
	printf("%d and %d\n", twos, threes);
	return 0;
}
