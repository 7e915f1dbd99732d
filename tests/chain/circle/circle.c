/* Players in a circle: who has the ball after some steps? COUNT STEPS. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 12

struct player {
	int number;
	struct player *next;
};

static struct player players[MOST + 1];

static void sit_down(int count)
{
	for (int i = 0; i < count; i++) {
		players[i].number = i + 1;
		if (i > 0)
			players[i - 1].next = &players[i];
	}
	int end = count;
	players[end].next = &players[0];
}

int main(int argc, char *argv[])
{
	if (argc != 3)
		return 2;
	int count = atoi(argv[1]);
	if (count < 1 || count > MOST)
		return 2;
	sit_down(count);
	struct player *at = players;
	for (int i = atoi(argv[2]); i > 0; i--)
		at = at->next;
	printf("%d\n", at->number);
	return 0;
}
