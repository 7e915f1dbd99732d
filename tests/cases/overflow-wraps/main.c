/* Sums, products and shifts that overflow, where C leaves the result open: they wrap as at -O0, also
   when the code generator widens them, and in addresses. So does __builtin_object_size of locals. */
#include <limits.h>
#include <stdio.h>

static int table[8] = {10, 11, 12, 13, 14, 15, 16, 17};

static long widened(int i)
{
	long sum = i + 1, product = i * 3, shifted = i << 4;

	return sum ^ product ^ shifted;
}

static int indexed(int i)
{
	int *p = table + 4;

	return p[i + i + 2];
}

static unsigned long narrow(short s, signed char c)
{
	unsigned long from = (unsigned int)(s * s * s * c);

	return from;
}

int main(void)
{
	char buffer[100];
	struct {
		char text[7];
		long after;
	} both;
	char *end = buffer + 1;

	printf("%ld %ld %ld\n", widened(INT_MAX), widened(INT_MIN), widened(-7));
	printf("%d\n", indexed(INT_MAX));
	printf("%lu %lu\n", narrow(SHRT_MAX, -1), narrow(SHRT_MIN, 127));
	printf("%zu %zu %zu %zu\n", __builtin_object_size(buffer, 0), __builtin_object_size(end, 0),
	       __builtin_object_size(both.text, 1), __builtin_object_size(table, 0));
	printf("%d %d\n", __builtin_constant_p(3), __builtin_constant_p(table[2]));
	return 0;
}
