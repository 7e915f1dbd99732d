/* A switch over a 128-bit integer, and functions around it. */
#include <stdio.h>

typedef __int128 i128;

static int pick(i128 v)
{
	switch (v) {
	case 0: return 1;
	case -1: return 2;
	case (i128)1 << 100: return 3;
	case 7: return 4;
	case (i128)1 << 64: return 5;
	}
	return 0;
}

static int sum(const i128 *v, int n)
{
	int s = 0;

	while (n-- > 0)
		s = s * 10 + pick(*v++);
	return s;
}

int main(void)
{
	static const i128 values[] = {0, -1, (i128)1 << 100, 7, -7, (i128)1 << 64, (i128)7 << 64};

	printf("%d\n", sum(values, 7));
	return 0;
}
