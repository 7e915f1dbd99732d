/* _Float16: arithmetic through float, arrays, arguments and results, conversions. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static _Float16 table[5] = {1.0f16, -0.5f16, 65504.0f16, 6.1e-5f16, 0.1f16};

static _Float16 mean(const _Float16 *v, int n)
{
	_Float16 s = 0;

	for (int i = 0; i < n; i++)
		s += v[i] / (_Float16)n;
	return s;
}

static _Float16 twice(_Float16 x)
{
	return x * (_Float16)2;
}

static unsigned bits(_Float16 x)
{
	uint16_t u;

	memcpy(&u, &x, sizeof(u));
	return u;
}

int main(void)
{
	for (int i = 0; i < 5; i++)
		printf("%g %04x %d\n", (double)twice(table[i]), bits(table[i]),
		       (int)(table[i] < (_Float16)0.2));
	printf("%g %g\n", (double)mean(table, 2), (double)(_Float16)1000.7);
	printf("%d %g\n", (int)(_Float16)42.9, (double)((_Float16)3 / (_Float16)7));
	return 0;
}
