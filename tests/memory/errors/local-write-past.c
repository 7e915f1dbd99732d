// asan: stack-buffer-overflow
// valgrind: none (the stack is one piece of memory for it)
#include <stdio.h>

int main(void)
{
	int after = 1;
	int days[12]; /*declared*/
	for (int month = 1; month <= 12; month++) /*index*/
		days[month] = 30; /*error*/
	printf("%d\n", days[1] + (after > 0));
	return 0;
}
