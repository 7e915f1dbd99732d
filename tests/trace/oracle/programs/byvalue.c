/* Structures of all sizes as parameters and results: in registers, in two, in memory. */
#include <stdio.h>
#include <string.h>

struct one {
	char c;
};

struct three {
	char c[3];
};

struct eight {
	int a, b;
};

struct floats {
	float x, y;
};

struct mixed {
	long n;
	double d;
};

struct big {
	int n[10];
	const char *name;
};

struct nested {
	struct eight e;
	struct floats f;
};

static struct one next(struct one o)
{
	o.c++;
	return o;
}

static struct three turn(struct three t)
{
	struct three r = {{t.c[2], t.c[0], t.c[1]}};

	return r;
}

static struct eight swapped(struct eight e)
{
	struct eight r;

	r.a = e.b;
	r.b = e.a;
	return r;
}

static struct floats scale(struct floats f, float by)
{
	f.x *= by;
	f.y *= by;
	return f;
}

static struct mixed combine(struct mixed m, struct floats f)
{
	m.n += (long)f.x;
	m.d += f.y;
	return m;
}

/* The copy is changed, the caller's stays. */
static int sum(struct big b, int last)
{
	int total = 0;

	b.n[last] = 1000;
	for (int i = 0; i < 10; i++)
		total += b.n[i];
	return total;
}

static struct big shift(struct big b, int by)
{
	struct big r = b;

	for (int i = 0; i < 10; i++)
		r.n[i] = b.n[(i + by) % 10];
	return r;
}

static struct nested build(struct eight e, struct floats f)
{
	struct nested n = {e, f};

	n.e.a += (int)n.f.x;
	return n;
}

int main(void)
{
	struct big b, c;
	struct three t = {{1, 2, 3}};
	struct eight e = {4, 5};
	struct floats f = {1.5f, 2.5f};
	struct mixed m = {7, 0.25};
	struct nested n;
	struct one o = {'a'};
	int total = 0;

	memset(&b, 0, sizeof(b));
	for (int i = 0; i < 10; i++)
		b.n[i] = i * 3;
	b.name = "big";
	c = shift(shift(b, 3), 1);
	total = sum(b, 2) + sum(c, 0) * 2 + b.n[2] + c.n[0];
	t = turn(turn(t));
	e = swapped(e);
	f = scale(f, 3);
	m = combine(m, f);
	n = build(swapped(e), scale(f, 0.5f));
	o = next(next(o));
	printf("%d %d%d%d %d %d %g %g %ld %g %d %g %c %s\n", total, t.c[0], t.c[1], t.c[2], e.a,
	       e.b, f.x, f.y, m.n, m.d, n.e.a, n.f.y, o.c, c.name);
	return 0;
}
