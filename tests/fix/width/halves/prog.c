/* How many boxes are needed: a box holds two, and the last one may be half full. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int count = atoi(argv[i]);
		double boxes = ceil(count / 2); /* should not be a whole number yet */

		printf("%d: %.0f\n", count, boxes);
	}
	return 0;
}
