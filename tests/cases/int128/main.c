/* 128-bit integers: arithmetic, shifts, comparisons, division, conversions, arguments and results,
 * switch. */
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(u128 v)
{
	printf("%016llx%016llx ", (unsigned long long)(v >> 64), (unsigned long long)v);
}

static void decimal(i128 v)
{
	char text[48];
	int at = 47;
	u128 u = v < 0 ? -(u128)v : (u128)v;

	text[at] = 0;
	do
		text[--at] = (char)('0' + (int)(u % 10));
	while (u /= 10);
	printf("%s%s\n", v < 0 ? "-" : "", text + at);
}

static u128 multiply(unsigned long long a, unsigned long long b)
{
	return (u128)a * b;
}

static u128 power(u128 base, unsigned n)
{
	return n ? power(base, n - 1) * base : 1;
}

static i128 many(int a, i128 b, long c, i128 d, char e, i128 f, i128 g)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7;
}

static u128 fibonacci(int n)
{
	u128 a = 0, b = 1;

	while (n-- > 0) {
		u128 t = a + b;

		a = b;
		b = t;
	}
	return a;
}

static u128 global = (u128)0x0123456789abcdefULL << 64 | 0xfedcba9876543210ULL;

struct pair {
	u128 a;
	char tag;
	i128 b;
};

int main(void)
{
	struct pair p = {global, 'x', -5}, q = p;
	i128 values[] = {0, -1, (i128)1 << 100, 7, -7, (i128)1 << 64};
	double d = 1e30;

	show(global << 4), show(global >> 68), show(~global), show(global ^ (global >> 1));
	printf("\n");
	show(multiply(~0ULL, ~0ULL));
	show(power(3, 80));
	printf("\n");
	decimal(fibonacci(180));
	decimal(-(i128)power(10, 30) / 7);
	decimal(-(i128)power(10, 30) % 1000003);
	decimal(many(1, 2, 3, (i128)4 << 70, 5, -6, 7));
	for (int i = 0; i < 6; i++)
		printf("%d %d ", (values[i] < 0), (values[i] > values[(i + 1) % 6]));
	printf("\n");
	q.a += q.a;
	q.b *= q.b;
	show(q.a);
	decimal(q.b);
	decimal((i128)d);
	printf("%a %g\n", (double)(i128)values[2], (double)(u128)-1);
	for (int i = 0; i < 128; i += 9) {
		global = global << i | global >> ((128 - i) & 127);
		values[i % 6] += (i128)(global >> i);
	}
	show(global);
	show((u128)(values[0] ^ values[1] ^ values[2] ^ values[3] ^ values[4] ^ values[5]));
	printf("\n");
	return 0;
}
