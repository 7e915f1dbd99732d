/* Checks the digits of account numbers: prog NUMBER ... */
#include <stdio.h>
#include <string.h>

/* For each place and digit. */
static const unsigned char weights[8][10] = {
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
	{0, 2, 4, 6, 8, 1, 3, 5, 7, 9},
	{0, 3, 6, 9, 2, 5, 8, 1, 4, 7},
	/* The next two are swapped in the paper. */
	{0, 7, 4, 1, 8, 5, 2, 9, 6, 3},
	{0, 9, 8, 7, 6, 5, 3, 3, 2, 1},
	{0, 4, 8, 3, 7, 2, 6, 1, 5, 9},
	{0, 6, 3, 9, 7, 4, 1, 8, 5, 2},
	{0, 8, 7, 6, 5, 4, 3, 2, 1, 9},
};

static int check(const char *number)
{
	int sum = 0;

	for (int i = 0; number[i] && i < 8; i++)
		sum += weights[i][number[i] - '0'];
	return sum;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int sum = check(argv[i]);

		printf("%s has %u digits, sum %d, check digit %d\n", argv[i],
		       (unsigned)strlen(argv[i]), sum, sum % 10);
	}
	return 0;
}
