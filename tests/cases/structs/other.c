/* The other side of the calls. */
#include "structs.h"

static struct point add(struct point a, struct point b)
{
	return (struct point){a.x + b.x, a.y + b.y};
}

static struct point scale(struct point a, double k)
{
	a.x *= k;
	a.y *= k;
	return a;
}

struct ops structs_ops(void)
{
	return (struct ops){add, scale, {1, 2, 3}};
}

struct mixed structs_mixed(struct mixed m, int times)
{
	while (times-- > 0) {
		m.d *= 2;
		m.i -= 3;
	}
	return m;
}

struct ld structs_ld(struct ld l)
{
	l.v *= l.v;
	l.tag++;
	return l;
}

struct floats structs_floats(struct floats f)
{
	return (struct floats){f.c, f.a, f.b};
}

void structs_none(struct empty e)
{
	(void)e;
}
