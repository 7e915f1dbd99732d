// asan: attempting double-free
// valgrind: Invalid free()
// exits: 3, since the C library ends the program, and nothing but that call can be changed
#include <stdlib.h>

static void drop(char *name)
{
	free(name); /*freed*/ /*error*/
}

int main(void)
{
	char *name = malloc(100); /*allocated*/
	name[0] = 0;
	drop(name);
	drop(name);
	return 0;
}
