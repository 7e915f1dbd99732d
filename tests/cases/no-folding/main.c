/* Values that the code generator could know from the stores before: it must compute them all the
   same, as -O0 does. */
#include <limits.h>
#include <stdio.h>

int main(void)
{
	int a[3] = {0}, big = INT_MAX, bits = 33, minus = -8;
	unsigned char small = 255;
	struct {
		int x, y;
	} s = {1, 2}, *p = &s;
	float f = 1e30f;

	a[1] = 7;
	big += a[1];
	small += (unsigned char)a[1];
	p->x = 5;
	printf("%d %d %d %d\n", big, 1 << bits, minus >> 1, small);
	printf("%d %d %d\n", s.x, p->y, a[0] | a[1]);
	printf("%d\n", (int)(f * f > f));
	return 0;
}
