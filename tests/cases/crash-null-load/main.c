/* Dies by reading through a null pointer, some calls deep, after output. */
#include <stdio.h>

struct node {
	int value;
	struct node *next;
};

static int sum(const struct node *n, int count)
{
	int s = 0;

	while (count-- > 0) {
		s += n->value;
		n = n->next;
	}
	return s;
}

int main(void)
{
	struct node b = {2, NULL}, a = {1, &b};

	printf("%d\n", sum(&a, 2));
	fflush(stdout);
	printf("lost\n");
	return sum(&a, 3);
}
