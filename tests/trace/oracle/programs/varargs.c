/* Functions with any number of arguments. Where those lie is not looked at, only what comes of them. */
#include <stdarg.h>
#include <stdio.h>

struct pair {
	int a, b;
};

static long vsum(const char *kinds, va_list list)
{
	long sum = 0;

	for (; *kinds; kinds++)
		switch (*kinds) {
		case 'i': sum += va_arg(list, int); break;
		case 'l': sum += va_arg(list, long); break;
		case 'd': sum += (long)va_arg(list, double); break;
		case 'p': sum += *va_arg(list, int *); break;
		}
	return sum;
}

static long sum(const char *kinds, ...)
{
	va_list list, copy;
	long result;

	va_start(list, kinds);
	va_copy(copy, list);
	result = vsum(kinds, list);
	result = result * 10 + vsum(kinds + 1, copy);
	va_end(copy);
	va_end(list);
	return result;
}

static int pairs(int count, ...)
{
	va_list list;
	int total = 0;

	va_start(list, count);
	while (count-- > 0) {
		struct pair p = va_arg(list, struct pair);

		total += p.a * p.b;
	}
	va_end(list);
	return total;
}

int main(void)
{
	int n = 40;
	struct pair p = {2, 3}, q = {4, 5};
	long result = sum("iid", 1, 2, 3.5);

	result += sum("llllllll", 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
	n += pairs(2, p, q);
	result += sum("pp", &n, &n);
	printf("%ld\n", result);
	return 0;
}
