/* A tape measure of a lift: floors that it passes, and how far it went. */
#include <stdio.h>
#include <stdlib.h>

struct lift {
	int floor, travelled, stops;
};

static void go_up(struct lift *lift, int target)
{
	while (lift->floor < target) {
		lift->floor++;
		lift->travelled++;
	}
	lift->stops++;
}

static void go_down(struct lift *lift, int target)
{
	while (lift->floor > target)
		lift->floor--;
	lift->stops++;
}

static void call(struct lift *lift, int target)
{
	if (target > lift->floor)
		go_up(lift, target);
	else if (target < lift->floor)
		go_down(lift, target);
}

int main(int argc, char **argv)
{
	struct lift lift = {0, 0, 0};
	for (int i = 1; i < argc; i++)
		call(&lift, atoi(argv[i]));
	printf("floor %d, %d stops\n", lift.floor, lift.stops);
	printf("%d floors travelled\n", lift.travelled);
	return 0;
}
