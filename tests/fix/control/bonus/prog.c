/* Points of a game: a bonus of a level comes with those of the lower ones. */
#include <stdio.h>
#include <stdlib.h>

static int bonus(int level)
{
	int points = 0;

	switch (level) {
	case 3:
		points += 100;
	case 2:
		points += 30;
		break;
	case 1:
		points += 5;
		break;
	}
	return points;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int level = atoi(argv[i]);

		printf("level %d: %d\n", level, bonus(level));
	}
	return 0;
}
