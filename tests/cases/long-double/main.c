/* long double: x87 arithmetic, conversions, arrays, arguments, the maths library. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static long double table[6] = {1.0L, -0.1L, 3.3e4000L, 1e-4940L, 0.0L, 12345678901234567890.0L};

static long double polynomial(long double x, const long double *c, int n)
{
	long double r = 0;

	while (n-- > 0)
		r = r * x + c[n];
	return r;
}

static long double mixed(int a, long double b, double c, long double d, float e, long double f)
{
	return a * b + c * d - (long double)e / f;
}

static unsigned significant_bytes(long double v)
{
	unsigned char bytes[sizeof(v)];
	unsigned sum = 0;

	memcpy(bytes, &v, sizeof(v));
	for (int i = 0; i < 10; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}

struct holder {
	char tag;
	long double v;
	int n;
};

int main(void)
{
	struct holder h[3], copy;
	long double sum = 0, product = 1, x;
	unsigned long long big = ~0ULL;

	for (int i = 0; i < 6; i++)
		printf("%Lg %La %u\n", table[i], table[i], significant_bytes(table[i]));
	for (int i = 1; i <= 40; i++) {
		sum += 1.0L / i;
		product *= i;
	}
	printf("%.20Lg %.20Lg\n", sum, product);
	printf("%.20Lg\n", polynomial(1.5L, table, 2) + mixed(2, 0.1L, 0.2, 0.3L, 0.4f, 0.5L));
	x = (long double)big;
	printf("%.0Lf %llu %d\n", x, (unsigned long long)x, (int)(x / 1e18L));
	printf("%d %d %d\n", (double)0.1L == 0.1, (long double)0.1 == 0.1L, (float)0.1L == 0.1f);
	for (int i = 0; i < 3; i++)
		h[i] = (struct holder){(char)('a' + i), i / 3.0L, i};
	copy = h[2];
	copy.v++;
	copy.v *= -h[1].v;
	printf("%c %.20Lg %d\n", copy.tag, copy.v, copy.n);
	printf("%.18Lg %.18Lg %.18Lg\n", sqrtl(2.0L), sinl(1.0L), powl(2.0L, 0.5L));
	printf("%d %d %Lg\n", isinf(table[2] * table[2]) != 0, table[0] > table[1], -copy.v);
	printf("%d\n", LDBL_MANT_DIG);
	return (int)sum;
}
