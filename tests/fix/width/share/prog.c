/* Grades: the share of the others that are worse, and that are better. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int count = argc - 1;

	for (int i = 1; i < argc; i++) {
		int worse = 0, better = 0;
		float low, high; /* should be doubles: 0.9 is no float */

		for (int k = 1; k < argc; k++)
			if (atoi(argv[k]) < atoi(argv[i]))
				worse++;
			else if (atoi(argv[k]) > atoi(argv[i]))
				better++;
		low = 1.0 * worse / count;
		high = 1.0 * better / count;
		if (low >= 0.9)
			printf("%s good\n", argv[i]);
		else if (high > 0.8)
			printf("%s bad\n", argv[i]);
		else
			printf("%s fair\n", argv[i]);
	}
	return 0;
}
