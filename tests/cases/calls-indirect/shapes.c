/* The other file: functions whose addresses are taken here and called there. */
#include <string.h>

#include "shapes.h"

int shapes_min(int a, int b)
{
	return a < b ? a : b;
}

static int hidden_max(int a, int b)
{
	return a > b ? a : b;
}

int (*shapes_lookup(const char *name))(int, int)
{
	static const struct {
		const char *name;
		int (*function)(int, int);
	} known[] = {{"min", shapes_min}, {"max", hidden_max}};

	for (int i = 0; i < 2; i++)
		if (!strcmp(known[i].name, name))
			return known[i].function;
	return 0;
}

int shapes_each(int n, int (*visit)(int, void *), void *data)
{
	int i = 0;

	while (i < n && visit(i, data))
		i++;
	return i;
}

double shapes_square(double x)
{
	return x * x;
}

int shapes_negate(int x)
{
	return -x;
}

static double square_area(const struct shape *s)
{
	return shapes_square(s->size);
}

static double square_perimeter(const struct shape *s)
{
	return 4 * s->size;
}

static double circle_area(const struct shape *s)
{
	return 3.141592653589793 * shapes_square(s->size);
}

static double circle_perimeter(const struct shape *s)
{
	return 2 * 3.141592653589793 * s->size;
}

struct shape shapes_all[] = {
	{"square", 3, square_area, square_perimeter},
	{"circle", 1.5, circle_area, circle_perimeter},
	{"dot", 0, circle_area, square_perimeter},
};
int shapes_count = sizeof(shapes_all) / sizeof(shapes_all[0]);
