/* Two names for one cell: what is written through one is read through the other. */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int x = 2;
	int y = 3;
	int *p = malloc(2 * sizeof *p);
	if (!p)
		return 2;
	int *pp = p + 1;
	x = x + 2;
	p[1] = x;
	p[0] = y;
	if (x > 4)
		p[1] = 3;
	assert(*pp == 3);
	free(p);
	return 0;
}
