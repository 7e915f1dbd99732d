/* A list in pages: prints which items the last page has. */
#include <stdio.h>
#include <stdlib.h>

static void show(int first, int last)
{
	for (int i = first; i <= last; i++)
		printf("%d ", i);
	printf("\n");
}

int main(int argc, char **argv)
{
	int items = argc > 1 ? atoi(argv[1]) : 0;
	int page = argc > 2 ? atoi(argv[2]) : 1;

	for (int first = 1; first <= items; first += page) {
		int last = first + page - 1; /* but there are no more than `items` */

		show(first, last);
	}
	return 0;
}
