/* The uninstrumented half: writes to the program's memory in many ways. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

int plain_depth;

struct state {
	char name[16];
	char text[32];
	int n;
};

void plain_upper(char *s)
{
	for (; *s; s++)
		*s = (char)toupper((unsigned char)*s);
}

void plain_bump_all(int by)
{
	for (int i = 0; i < 4; i++)
		shared_points[i].x += by * instrumented_twice(i);
	shared_counter += 100;
}

int plain_each(struct point *p, int n, int (*visit)(struct point *, void *), void *data)
{
	int i;

	for (i = 0; i < n; i++) {
		plain_depth = i;
		p[i].y *= 10;
		if (!visit(&p[i], data))
			break;
	}
	return i;
}

int plain_callback(int (*f)(int), int n)
{
	return f(n) * 2;
}

struct point plain_make(int x, int y)
{
	struct point p = {instrumented_twice(x), y};

	return p;
}

int *plain_numbers(int n)
{
	int *v = malloc((size_t)n * sizeof(int));

	for (int i = 0; i < n; i++)
		v[i] = i * i - n;
	return v;
}

void *plain_open(const char *name)
{
	struct state *s = calloc(1, sizeof(*s));

	snprintf(s->name, sizeof(s->name), "%s", name);
	return s;
}

const char *plain_next(void *state)
{
	struct state *s = state;

	snprintf(s->text, sizeof(s->text), "%s-%d", s->name, s->n++);
	return s->text;
}

void plain_close(void *state)
{
	free(state);
}

int plain_variable(int n, ...)
{
	va_list ap;
	int sum = 0;

	va_start(ap, n);
	while (n-- > 0)
		sum += va_arg(ap, int);
	va_end(ap);
	return sum;
}

double plain_mixed(int a, double b, float c, long d, char e)
{
	return a + b * 10 + c * 100 + (double)d * 1000 + e;
}
