// asan: none (it does not look at undefined values)
// valgrind: Conditional jump or move depends on uninitialised
#include <stdio.h>

struct point {
	int x, y;
};

int main(void)
{
	struct point p; /*declared*/
	p.x = 4;
	if (p.y < 0) /*error*/
		puts("below");
	puts("done");
	return 0;
}
