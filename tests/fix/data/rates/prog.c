/* The mean of some numbers, with two decimals. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	double sum = 0;

	for (int i = 1; i < argc; i++)
		sum += atof(argv[i]);
	if (argc == 1) {
		printf("no numbers\n");
		return 0;
	}
	printf("mean %.1f of %d\n", sum / (argc - 1), argc - 1);
	return 0;
}
