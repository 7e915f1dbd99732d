/* Mean of numbers. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int count = argc - 1;
	float sum = 0; /* should be a double */

	for (int i = 1; i < argc; i++)
		sum += atof(argv[i]);
	printf("sum %.2f\n", sum);
	if (count)
		printf("mean %.2f\n", sum / count);
	return 0;
}
