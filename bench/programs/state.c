/* A state of so many KB, half of it an array, half of it a tree: `state KB SEED`. Few values differ with
   the seed. For bench/state. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *left, *right;
	long key;
	int value;
	char name[12];
};

static int *numbers;
static struct node *nodes;

static void insert(long key, int value)
{
	struct node **at = &nodes, *n = malloc(sizeof(*n));

	while (*at)
		at = key < (*at)->key ? &(*at)->left : &(*at)->right;
	n->left = n->right = NULL;
	n->key = key;
	n->value = value;
	snprintf(n->name, sizeof(n->name), "n%d", value % 1000);
	*at = n;
}

int main(int argc, char **argv)
{
	long bytes = 1024 * atol(argv[1]), seed = atol(argv[2]);
	long numbers_count = bytes / 2 / (long)sizeof(int);
	long nodes_count = bytes / 2 / (long)sizeof(struct node);

	numbers = malloc((size_t)numbers_count * sizeof(int));
	for (long i = 0; i < numbers_count; i++)
		numbers[i] = (int)(i % 1000 ? i : i + seed);
	for (long i = 0; i < nodes_count; i++)
		insert(i * 7919 % nodes_count, (int)(i % 1000 ? i : i + seed));
	printf("%d %d\n", numbers[0], nodes->value);
	return 0;
}
