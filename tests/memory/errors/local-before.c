// asan: stack-buffer-underflow
// valgrind: none (the stack is one piece of memory for it)
#include <stdio.h>

int main(void)
{
	int steps[4] = {1, 2, 3, 4}; /*declared*/
	int i = 3;
	while (i >= -1) {
		steps[i] = i - 10; /*error*/
		i--; /*index*/
	}
	printf("%d\n", steps[0]);
	return 0;
}
