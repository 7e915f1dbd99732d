/*
 * data SEED VARIANT: does things with all kinds of data, chosen by SEED. A variant other than 0 makes some of the
 * values, sizes and ways other ones, so that two runs agree in most and differ in some.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small {
	short a;
	char c[3];
	int b;
};

struct item {
	struct item *next;
	struct small s;
	long many[6];
	unsigned bits : 5, more : 11;
	union {
		double d;
		unsigned char c[8];
	} u;
};

static unsigned state, variant, asked;
static struct item *list, table[3];
static char text[64], other[64];
static int numbers[8], sign = 1;
static long double wide = 1;
static jmp_buf back;

static unsigned pick(unsigned n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

/* The same in both runs most of the time. */
static int value(void)
{
	unsigned n = pick(50);

	asked++;
	return (int)(variant && (asked * 7 + variant) % 5 == 0 ? n + 1 : n);
}

static struct small make(int n)
{
	struct small s = {(short)n, "ab", n * 2};

	s.c[n & 1] += (char)n;
	return s;
}

static struct item twice(struct item i)
{
	i.s.b *= 2;
	i.many[i.s.a & 3] += i.s.c[0];
	return i;
}

static void push(void)
{
	struct item *new = calloc(1, sizeof(*new) + (size_t)value() % 40);

	new->s = make(value());
	new->next = list;
	new->u.d = value() / 2.0;
	list = new;
}

static void pop(void)
{
	struct item *old = list;

	if (!old)
		return;
	list = old->next;
	numbers[old->s.a & 7] += old->s.b + old->u.c[6];
	free(old);
}

static int order(const void *a, const void *b)
{
	numbers[7]++;
	return sign * (*(const int *)a - *(const int *)b);
}

static int total(int count, ...)
{
	va_list ap;
	int sum = 0;

	va_start(ap, count);
	while (count--)
		sum += va_arg(ap, int);
	va_end(ap);
	return sum;
}

static int deep(int n)
{
	if (n == 7)
		longjmp(back, numbers[0] & 3);
	return n > 0 ? deep(n - 1) + numbers[n & 7] : 1;
}

static int plus(int a, int b)
{
	return a + b;
}

static int minus(int a, int b)
{
	return a - b;
}

static int (*const operations[])(int, int) = {plus, minus};

static void sum_list(void)
{
	for (struct item *i = list; i; i = i->next)
		numbers[2] += i->s.a > 20 && i->s.b ? i->s.b : i->bits;
}

static void use_text(void)
{
	size_t length = strlen(text);

	if (length > 20)
		text[5] = 0;
	strcpy(other, text);
	strcat(other, "x");
	sprintf(text, "%d%s", value(), other);
	if (strcmp(text, other) < 0)
		numbers[1] ^= text[1];
	memmove(text + 1, text, strlen(text) + 1);
}

static void step(unsigned what)
{
	int *grown;

	switch (what) {
	case 0: push(); break;
	case 1: pop(); break;
	case 2: sum_list(); break;
	case 3: use_text(); break;
	case 4:
		sign = value() & 1 ? 1 : -1;
		qsort(numbers, 7, sizeof(*numbers), order);
		break;
	case 5: numbers[3] = total(3, value(), numbers[1], deep(value() % 5)); break;
	case 6: table[value() % 3] = twice(table[pick(3)]); break;
	case 7:
		table[pick(3)].s = make(numbers[2] & 31);
		table[1].bits += (unsigned)value();
		table[1].more = table[1].bits * 3;
		break;
	case 8: numbers[value() & 7] = operations[value() & 1](numbers[pick(8)], value()); break;
	case 9:
		wide = wide * 1.5L + value();
		numbers[5] = (int)wide & 255;
		break;
	case 10:
		if (!setjmp(back))
			numbers[4] += deep(value() % 9);
		break;
	case 11:
		memset(text + 30, value(), 9);
		numbers[6] += text[33];
		break;
	case 12:
		grown = malloc(8);
		grown[0] = value();
		grown = realloc(grown, (size_t)value() * 100 + 8);
		grown[1] = grown[0] + 1;
		numbers[0] += grown[value() & 1];
		free(grown);
		break;
	default:
		for (int i = value() % 4; i < 6; i++)
			table[2].many[i] = i % 2 ? table[1].many[i] + i : numbers[i];
	}
}

int main(int argc, char **argv)
{
	state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	variant = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	strcpy(text, argc > 2 ? argv[2] : "none");
	for (int i = 0; i < 60; i++)
		step(pick(14));
	for (int i = 0; i < 8; i++)
		printf("%d %ld\n", numbers[i], table[i % 3].many[i % 6]);
	puts(text);
	return numbers[0] & 7;
}
