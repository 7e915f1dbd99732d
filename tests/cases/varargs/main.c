/* Variable arguments: an own printf, va_copy, va_list passed on, all types, more than fit in
 * registers. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct small {
	int a;
	char b;
};

struct pair {
	double x, y;
};

struct big {
	long v[5];
};

static char out[4000];
static size_t used;

static void put(const char *s, size_t n)
{
	memcpy(out + used, s, n);
	used += n;
	out[used] = 0;
}

static void number(long long v)
{
	char digits[24];
	int i = 24;
	unsigned long long u = v < 0 ? -(unsigned long long)v : (unsigned long long)v;

	do
		digits[--i] = (char)('0' + u % 10);
	while (u /= 10);
	if (v < 0)
		put("-", 1);
	put(digits + i, (size_t)(24 - i));
}

static int vprint(const char *format, va_list ap)
{
	size_t begin = used;

	for (; *format; format++) {
		switch (*format) {
		case 'i': number(va_arg(ap, int)); break;
		case 'c': put((char[]){(char)va_arg(ap, int)}, 1); break;
		case 'l': number(va_arg(ap, long)); break;
		case 'd': number((long long)(va_arg(ap, double) * 1000)); break;
		case 'L': number((long long)(va_arg(ap, long double) * 1000)); break;
		case 's': {
			const char *s = va_arg(ap, const char *);

			put(s, strlen(s));
			break;
		}
		case 'S': {
			struct small s = va_arg(ap, struct small);

			number(s.a * 100 + s.b);
			break;
		}
		case 'P': {
			struct pair p = va_arg(ap, struct pair);

			number((long long)(p.x * 10 + p.y));
			break;
		}
		case 'B': {
			struct big b = va_arg(ap, struct big);

			number(b.v[0] + b.v[4]);
			break;
		}
		default: put(format, 1);
		}
	}
	return (int)(used - begin);
}

static int print(const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vprint(format, ap);
	va_end(ap);
	return n;
}

/* Reads the same arguments twice through a copy, the second time from the middle. */
static double twice(int n, ...)
{
	va_list ap, copy, middle;
	double sum = 0;

	va_start(ap, n);
	va_copy(copy, ap);
	for (int i = 0; i < n; i++) {
		if (i == n / 2)
			va_copy(middle, ap);
		sum += va_arg(ap, double);
	}
	for (int i = 0; i < n; i++)
		sum = sum * 2 - va_arg(copy, double);
	for (int i = n / 2; i < n; i++)
		sum += va_arg(middle, double) * 100;
	va_end(ap);
	va_end(copy);
	va_end(middle);
	return sum;
}

static long after_six(int a, long b, char *c, int d, int e, int f, int n, ...)
{
	va_list ap;
	long sum = a + b + *c + d + e + f;

	va_start(ap, n);
	while (n-- > 0)
		sum = sum * 3 + va_arg(ap, int);
	va_end(ap);
	return sum;
}

static void take(va_list *ap, int n, int *sum)
{
	while (n-- > 0)
		*sum = *sum * 10 + va_arg(*ap, int);
}

static int through_pointer(int first, ...)
{
	va_list ap;
	int sum = first;

	va_start(ap, first);
	take(&ap, 3, &sum);
	take(&ap, 4, &sum);
	va_end(ap);
	return sum;
}

static int format_outside(char *buffer, size_t size, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(buffer, size, format, ap);
	va_end(ap);
	return n;
}

static int none(int n, ...)
{
	return n * 2;
}

int main(void)
{
	struct small s = {7, 3};
	struct pair p = {1.5, 2.25};
	struct big b = {{10, 20, 30, 40, 50}};
	int (*indirect)(const char *, ...) = print;
	char c = 'q', text[300];
	int n;

	n = print("i, c, l, d, L, s\n", 42, c, -5000000000L, 3.25, 2.5L, "text");
	n += print("S P B i S\n", s, p, b, -1, s);
	n += print("d d d d d d d d d d L d i\n", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.5L,
	           12., 13);
	n += print("i l i l i l i l i d i\n", 1, 2L, 3, 4L, 5, 6L, 7, 8L, 9, 0.5, 10);
	n += indirect("P P P P P P B d\n", p, p, p, p, p, p, b, 99.0);
	printf("%s%d\n", out, n);
	printf("%g %g\n", twice(3, 1.0, 2.0, 3.0),
	       twice(12, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
	printf("%ld\n", after_six(1, 2, &c, 4, 5, 6, 5, 1, 2, 3, 4, 5));
	printf("%d %d\n", through_pointer(1, 2, 3, 4, 5, 6, 7, 8), none(4, 5, 6, 7.0));
	n = format_outside(text, sizeof(text), "%d %s %.2f %Lg %c %ld %d %d %d %d %.1f", 1, "two",
	                   3.0, 4.5L, '5', 6L, 7, 8, 9, 10, 11.0);
	printf("%d %s\n", n, text);
	/* More than 64 arguments of an outside call. */
	n = sprintf(
		text,
		"%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"
		"%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d",
		1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8,
		9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6,
		7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0);
	printf("%d %s\n", n, text);
	return 0;
}
