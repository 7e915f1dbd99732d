// asan: dynamic-stack-buffer-overflow
// valgrind: none (the stack is one piece of memory for it)
#include <stdio.h>

int main(int argc, char **argv)
{
	int n = argc + 6;
	int row[n]; /*declared*/
	for (int i = 0; i <= n; i++) /*index*/
		row[i] = i; /*error*/
	printf("%d\n", row[2]);
	return 0;
}
