/* A receipt: prog NAME CENTS ... */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		int cents = atoi(argv[i + 1]);

		printf("%s %4d.%02d\n", argv[i], cents / 100, cents % 100);
		sum += cents;
	}
	printf("%d cents\n", sum);
	return 0;
}
