// asan: stack-buffer-overflow
// valgrind: none (the stack is one piece of memory for it)
#include <stdio.h>

int main(void)
{
	int board[3][4] = {{0}}; /*declared*/
	for (int row = 0; row < 4; row++) /*index*/
		board[row][0] = row; /*error*/
	printf("%d\n", board[2][0]);
	return 0;
}
