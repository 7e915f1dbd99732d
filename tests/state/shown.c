// run: 2
// run: 3
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	char tag;
	struct node *next;
};

static char long_text[100];

int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	int *number = NULL, never;
	void *opaque = NULL;
	struct node *node = NULL;
	char letter = (char)('a' + n);
	uint8_t small = (uint8_t)(63 + n);
	char control = n == 2 ? '\n' : '\033';
	double third = n / 3.0;

	if (n == 3) {
		number = malloc(sizeof *number);
		*number = 7;
		opaque = malloc(24);
		node = malloc(sizeof *node);
		node->tag = 'x';
		node->next = NULL;
		never = 1;
	}
	memset(long_text, 'a' + n, 99);
	printf("%d %p %p %p\n", argc, (void *)number, opaque, (void *)node); /*end*/
	printf("%c %d %d %g %d\n", letter, small, control, third, never);
	return 0;
}
