// kind: out-of-member
// asan: none (the bytes belong to the same block)
// valgrind: none (the bytes belong to the same block)
#include <stdio.h>
#include <stdlib.h>

struct queue {
	char items[4];
	char used;
	short length;
};

int main(void)
{
	struct queue *q = calloc(1, sizeof(*q)); /*allocated*/
	int last = q->used + 4; /*index*/
	printf("%d\n", q->items[last]); /*error*/
	free(q);
	return 0;
}
