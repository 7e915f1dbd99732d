/* How many apples? */
#include <stdio.h>
#include <stdlib.h>

static void say(int count)
{
	if (count == 0)
		printf("no aples\n");
	else if (count == 1)
		printf("one apple\n");
	else
		printf("%d apples\n", count);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		say(atoi(argv[i]));
	return 0;
}
