// asan: heap-buffer-overflow
// valgrind: Invalid write
#include <stdlib.h>

int main(void)
{
	long *squares = malloc(9 * sizeof(*squares)); /*allocated*/
	for (long i = 1; i <= 9; i++) /*index*/
		squares[i] = i * i; /*error*/
	free(squares);
	return 0;
}
