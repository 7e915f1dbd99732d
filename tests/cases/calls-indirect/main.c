/* Calls through pointers: tables, struct members, parameters, results of calls, across files. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "shapes.h"

static int add(int a, int b)
{
	return a + b;
}

static int sub(int a, int b)
{
	return a - b;
}

static int mul(int a, int b)
{
	return a * b;
}

static int (*const table[])(int, int) = {add, sub, mul, shapes_min};

static int fold(const int *v, int n, int start, int (*f)(int, int))
{
	while (n-- > 0)
		start = f(start, *v++);
	return start;
}

static int (*choose(const char *name))(int, int)
{
	if (!strcmp(name, "add"))
		return add;
	if (!strcmp(name, "sub"))
		return &sub;
	return shapes_lookup(name);
}

static int count_visit(int value, void *data)
{
	int *sum = data;

	*sum = *sum * 7 + value;
	return value < 6;
}

static void increment(void *p)
{
	++*(int *)p;
}

struct counter {
	int n;
	void (*step)(void *);
};

static double half(double x)
{
	return x / 2;
}

static double apply_twice(double (*f)(double), double x)
{
	return f(f(x));
}

int main(void)
{
	static const int values[] = {5, -3, 8, 2};
	struct counter c = {0, increment};
	int (*f)(int, int);
	int sum = 0;

	for (unsigned i = 0; i < 4; i++)
		printf("%d %d\n", table[i](20, 7), fold(values, 4, 1, table[i]));
	printf("%d %d %d\n", choose("add")(1, 2), choose("sub")(1, 2), choose("max")(1, 2));
	f = choose("nothing");
	printf("%s\n", f ? "found" : "none");
	for (int i = 0; i < 5; i++)
		c.step(&c.n);
	printf("%d %d\n", c.n, shapes_each(10, count_visit, &sum));
	printf("%d\n", sum);
	for (int i = 0; i < shapes_count; i++)
		printf("%s %.3f %.3f\n", shapes_all[i].name, shapes_all[i].area(&shapes_all[i]),
		       shapes_all[i].perimeter(&shapes_all[i]));
	printf("%.3f %.3f\n", apply_twice(half, 10), apply_twice(shapes_square, 3));
	/* Outside functions through pointers: the same site calls both kinds. */
	{
		int (*kinds[])(int) = {abs, shapes_negate, abs, shapes_negate};
		size_t (*length)(const char *) = strlen;

		for (int i = 0; i < 4; i++)
			printf("%d ", kinds[i](i - 2));
		printf("%zu\n", length("twelve chars"));
	}
	return (*(***table[0]))(3, 4);
}
