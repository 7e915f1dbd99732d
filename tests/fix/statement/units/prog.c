/* Says how far each step goes, and where it ends. */
#include <stdio.h>
#include <stdlib.h>

static int place;

static void walk(int way)
{
	if (way < 0) {
		printf("back %d", -way);
		printf(" steps, ");
	} else {
		printf("ahead %d", way);
	}
	place += way;
	printf("now at %d\n", place);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		walk(atoi(argv[i]));
	return 0;
}
