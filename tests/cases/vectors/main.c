/* Vector extensions: arithmetic, comparisons, element access, conversions, as arguments and
 * results, shuffles. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4su __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef unsigned char v16qu __attribute__((vector_size(16)));
typedef int v2si __attribute__((vector_size(8)));
typedef double v8df __attribute__((vector_size(64)));

static v4si add(v4si a, v4si b)
{
	return a + b;
}

static v4sf scale(v4sf a, float k)
{
	return a * k;
}

static int sum(v4si v)
{
	return v[0] + v[1] + v[2] + v[3];
}

static v4su step(v4su state)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static double wide(const v8df *a, const v8df *b)
{
	v8df p = *a * *b + 1.0;
	double s = 0;

	for (int i = 0; i < 8; i++)
		s += p[i];
	return s;
}

static void show(const char *what, v4si v)
{
	printf("%s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]);
}

int main(void)
{
	v4si a = {1, -2, 3, 40}, b = {10, 20, 30, 40}, mask;
	v4sf f = {0.5f, 1.5f, -2.5f, 4};
	v2df d = {1.25, -3};
	v16qu bytes;
	v8hi shorts = {1, 2, 3, 4, 5, 6, 7, 8};
	v2si small = {7, 8};
	v4su state = {1, 2, 3, 4};
	v8df x, y;
	unsigned total = 0;

	show("add", add(a, b));
	show("mul", a * b - 1);
	show("div", b / (a | 1));
	mask = a < b;
	show("mask", mask);
	show("select", (a & mask) | (b & ~mask));
	show("shift", a << 3);
	f = scale(f, 2);
	printf("%g %g %g %g\n", (double)f[0], (double)f[1], (double)f[2], (double)f[3]);
	d = d * d + (v2df){1, 1};
	printf("%g %g\n", d[0], d[1]);
	memset(&bytes, 0x11, sizeof(bytes));
	for (int i = 0; i < 16; i++)
		bytes[i] += (unsigned char)(i * 20);
	for (int i = 0; i < 16; i++)
		total = total * 31 + bytes[i];
	shorts = shorts * shorts;
	shorts[3]--;
	small += small;
	printf("%u %d %d %d\n", total, shorts[7], shorts[3], small[1]);
	for (int i = 0; i < 100; i++)
		state = step(state);
	printf("%u %u %u %u\n", state[0], state[1], state[2], state[3]);
	for (int i = 0; i < 8; i++) {
		x[i] = i * 0.5;
		y[i] = 8 - i;
	}
	printf("%g %d\n", wide(&x, &y), sum(a));
	show("shuffle", __builtin_shufflevector(a, b, 0, 4, 3, 7));
	show("convert", __builtin_convertvector(f, v4si));
	return 0;
}
