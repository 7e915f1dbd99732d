// asan: global-buffer-overflow
// valgrind: none (globals lie beside each other)
#include <stdio.h>

static const char *const names[] = {"zero", "one", "two"}; /*declared*/
static const char *const more[] = {"three", "four"};

int main(void)
{
	int n = 3; /*index*/
	const char *name = names[n]; /*error*/
	printf("%s\n", name && *more ? "named" : "unnamed");
	return 0;
}
