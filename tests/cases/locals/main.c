/* Local variables: large, over-aligned, in nested scopes and loops, shadowed, jumped over, with
 * addresses kept. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((aligned(128))) line {
	char data[100];
};

static int aligned(int n)
{
	char odd = (char)n;
	_Alignas(64) int a[3] = {n, 2, 3};
	struct line l[2];
	_Alignas(4096) char page[10];
	char tail[5] = "abcd";
	int bad = 0;

	memset(l, n, sizeof(l));
	page[9] = odd;
	bad += (uintptr_t)a % 64 != 0;
	bad += (uintptr_t)&l[1] % 128 != 0;
	bad += (uintptr_t)page % 4096 != 0;
	if (n > 0)
		bad += aligned(n - 1) / 1000;
	return bad * 1000 + a[0] + l[1].data[99] + page[9] + tail[3];
}

static unsigned large(int seed)
{
	int big[200000];
	unsigned sum = 0;

	for (int i = 0; i < 200000; i += 1000)
		big[i] = seed + i;
	for (int i = 0; i < 200000; i += 1000)
		sum = sum * 31 + (unsigned)big[i];
	return sum;
}

static int scopes(int n)
{
	int x = n, *kept = &x, sum = 0;

	for (int i = 0; i < 4; i++) {
		int x = i * 10;

		{
			int x = i;

			x++;
			*kept += x;
		}
		if (i & 1) {
			int only_odd = x + 1;

			sum += only_odd;
		} else {
			char only_even[3] = {(char)i, 2, 3};

			sum += only_even[0] + only_even[2];
		}
		sum += x;
	}
	return sum * 1000 + x;
}

static int jumped_over(int n)
{
	int r = 0;

	switch (n) {
		int inside;
	case 1: inside = 5; goto use;
	case 2:
		inside = 6;
	use:
		r = inside * 2;
		break;
	default: {
		int other = n;

		r = other;
	}
	}
	return r;
}

static int *pointer_to_parameter(int p, int **out, int depth)
{
	int *mine = &p;

	if (depth) {
		int result = *pointer_to_parameter(p + 1, &mine, depth - 1);

		p += result % 7;
	}
	if (depth == 3)
		*out = (*(*out) += p, *out);
	return *out;
}

static void swap(int *a, int *b)
{
	int t = *a;

	*a = *b;
	*b = t;
}

static int many(int a, int b, int c, int d, int e, int f, int g, int h, char i, short j, long k,
                double l)
{
	swap(&a, &h);
	swap(&b, &g);
	i++;
	j--;
	k *= 2;
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i + j + (int)k +
	       (int)(l * 4);
}

int main(void)
{
	int top = 5, *where = &top;
	register int fast = 3;
	volatile int slow = 4;

	printf("%d\n", aligned(5));
	printf("%u %u\n", large(1), large(2));
	printf("%d\n", scopes(7));
	printf("%d %d %d\n", jumped_over(1), jumped_over(2), jumped_over(9));
	printf("%d\n", *pointer_to_parameter(1, &where, 3));
	printf("%d\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.5));
	fast += slow++;
	printf("%d %d\n", fast, slow);
	return 0;
}
