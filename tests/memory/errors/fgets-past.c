// stdin: a line that is longer than the buffer
// asan: stack-buffer-overflow
// valgrind: none (the stack is one piece of memory for it)
#include <stdio.h>

int main(void)
{
	char line[16]; /*declared*/
	if (fgets(line, 32, stdin)) /*error*/
		puts("read");
	return 0;
}
