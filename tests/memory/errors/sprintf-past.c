// asan: stack-buffer-overflow
// valgrind: none (the stack is one piece of memory for it)
#include <stdio.h>

int main(void)
{
	char date[8]; /*declared*/
	sprintf(date, "%d-%d", 2024, 12); /*fits*/
	sprintf(date, "%d-%d-%d", 2024, 1, 31); /*error*/
	puts("2024");
	return 0;
}
