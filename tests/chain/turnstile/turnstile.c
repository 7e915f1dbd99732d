/* A turnstile that gets coins (c) and pushes (p): how many passed, and how often it gave alarm. */
#include <stdio.h>

enum state { LOCKED, OPEN };

static int passed, alarms, coins;

static enum state step(enum state state, char event)
{
	enum state next = state;
	switch (state) {
	case LOCKED:
		if (event == 'c')
			next = OPEN;
		else
			alarms++;
		break;
	case OPEN:
		if (event == 'p') {
			passed++;
			next = LOCKED;
		} else {
			next = LOCKED;
		}
		break;
	}
	if (event == 'c')
		coins++;
	return next;
}

int main(int argc, char *argv[])
{
	enum state state = LOCKED;
	if (argc != 2)
		return 2;
	for (const char *event = argv[1]; *event; event++)
		state = step(state, *event);
	printf("coins %d\n", coins);
	printf("passed %d\n", passed);
	printf("alarms %d\n", alarms);
	return 0;
}
