/* Says of each number whether it is even or odd. */
#include <stdio.h>
#include <stdlib.h>

static int evens;

static void show(int value)
{
	printf("%d is ", value);
	if (value % 2 == 0) {
		evens++;
		printf("even\n");
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		show(atoi(argv[i]));
	printf("%d\n", evens);
	return 0;
}
