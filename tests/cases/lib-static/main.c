/* A program with a static library of two members, one of which is needed only through the other. */
#include <stdio.h>

#include "stack.h"

int main(void)
{
	struct stack *s = stack_new(4);
	int v, sum = 0;

	for (int i = 0; i < 20; i++)
		stack_push(s, i * 3);
	while (stack_pop(s, &v))
		sum = sum * 7 % 10007 + v;
	printf("%d %d %d\n", sum, stack_pop(s, &v), stack_grown());
	stack_free(s);
	return 0;
}
