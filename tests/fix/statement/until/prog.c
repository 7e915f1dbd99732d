/* Numbers up to a 0, and their sum. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int sum = 0, count = 0;

	for (int i = 1; i < argc; i++) {
		int value = atoi(argv[i]);

		printf("%d ", value);
		sum += value;
		count++;
	}
	printf("= %d (%d)\n", sum, count);
	return 0;
}
