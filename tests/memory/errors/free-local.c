// asan: attempting free on address
// valgrind: Invalid free()
// exits: 3, since the C library ends the program, and nothing but that call can be changed
#include <stdlib.h>

int main(void)
{
	long buffer[20]; /*declared*/
	buffer[0] = 0;
	free(buffer); /*error*/
	return 0;
}
