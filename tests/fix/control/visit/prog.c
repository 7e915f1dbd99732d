/* Prints the numbers of a tree in an array, in order; 0 is no node. */
#include <stdio.h>
#include <stdlib.h>

static int tree[64], size, printed;

static void visit(int node)
{
	if (node >= size || !tree[node])
		return;
	visit(2 * node + 1);
	if (printed == 5) {
		printf("...");
		printed++;
	}
	if (printed < 5)
		printf("%d ", tree[node]);
	printed++;
	visit(2 * node + 2);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		tree[size++] = atoi(argv[i]);
	visit(0);
	printf("(%d)\n", printed);
	return 0;
}
