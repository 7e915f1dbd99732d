/* The program brings functions of its own under names of the C library: the runtime must not call
   them, and calls of them are calls of instrumented functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned counts[5];

size_t strlen(const char *s)
{
	size_t n = 0;

	counts[0]++;
	while (s[n])
		n++;
	return n;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	char *t = to;
	const char *f = from;

	counts[1]++;
	while (size--)
		*t++ = *f++;
	return to;
}

int strcmp(const char *a, const char *b)
{
	counts[2]++;
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a - (unsigned char)*b;
}

void *memset(void *to, int value, size_t size)
{
	char *t = to;

	counts[3]++;
	while (size--)
		*t++ = (char)value;
	return to;
}

int abs(int n)
{
	counts[4]++;
	return n < 0 ? -n : n;
}

struct large {
	int numbers[40];
};

static struct large fill(int n)
{
	struct large l;

	memset(&l, n, sizeof(l));
	return l;
}

int main(int argc, char **argv)
{
	char text[64];
	struct large l = fill(3), copy = l;

	memcpy(text, "some text", 10);
	printf("%zu %d %d %d\n", strlen(text), strcmp(text, "some") > 0, abs(-argc),
	       copy.numbers[7]);
	printf("%d %d\n", counts[0] > 0, counts[2] > 0 && counts[4] > 0);
	return 0;
}
