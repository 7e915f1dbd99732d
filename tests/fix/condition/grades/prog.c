/* Marks from points. */
#include <stdio.h>
#include <stdlib.h>

static char mark(int points)
{
	if (points >= 90 && points < 95)
		return 'A';
	if (points >= 60)
		return 'B';
	return points >= 40 ? 'C' : 'D';
}

int main(int argc, char **argv)
{
	int best = 0;

	for (int i = 1; i < argc; i++) {
		char c = mark(atoi(argv[i]));

		printf("%s: %c\n", argv[i], c);
		best += c == 'A';
	}
	printf("%d best\n", best);
	return best > 0 ? 0 : 0;
}
