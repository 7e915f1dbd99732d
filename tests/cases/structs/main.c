/* Structures as arguments and results: all sizes, mixed classes, nested, by pointer to function,
 * outside. */
#include <stdio.h>
#include <stdlib.h>

#include "structs.h"

#define MAKE(n)                                                                                    \
	struct bytes##n {                                                                          \
		unsigned char v[n];                                                                \
	};                                                                                         \
	static struct bytes##n make##n(int seed)                                                   \
	{                                                                                          \
		struct bytes##n s;                                                                 \
		for (int i = 0; i < n; i++)                                                        \
			s.v[i] = (unsigned char)(seed * 7 + i);                                    \
		return s;                                                                          \
	}                                                                                          \
	static unsigned sum##n(struct bytes##n s, int times)                                       \
	{                                                                                          \
		unsigned sum = 0;                                                                  \
		for (int i = 0; i < n; i++)                                                        \
			sum = sum * 31 + s.v[i]++ * (unsigned)times;                               \
		return sum;                                                                        \
	}                                                                                          \
	static struct bytes##n flip##n(struct bytes##n s)                                          \
	{                                                                                          \
		for (int i = 0; i < n / 2; i++) {                                                  \
			unsigned char t = s.v[i];                                                  \
			s.v[i] = s.v[n - 1 - i];                                                   \
			s.v[n - 1 - i] = t;                                                        \
		}                                                                                  \
		return s;                                                                          \
	}                                                                                          \
	static void test##n(void)                                                                  \
	{                                                                                          \
		struct bytes##n a = make##n(n), b;                                                 \
		struct bytes##n (*f)(struct bytes##n) = flip##n;                                   \
		b = f(a);                                                                          \
		printf("%d: %u %u %u\n", n, sum##n(a, 1), sum##n(b, 2), sum##n(f(flip##n(b)), 3)); \
	}

MAKE(1)
MAKE(2)
MAKE(3)
MAKE(4)
MAKE(5)
MAKE(7)
MAKE(8)
MAKE(9)
MAKE(12)
MAKE(15)
MAKE(16)
MAKE(17)
MAKE(24)
MAKE(100)
MAKE(1000)

static struct nested nest(struct mixed m, struct point p, int n)
{
	struct nested r = {.m = m, .p = {p, {p.y, p.x}}, .n = n};

	return r;
}

static double total(struct nested n, struct floats f, struct ld l)
{
	return n.m.d + n.m.i + n.p[0].x + n.p[1].y * 2 + n.n + f.a + f.b + f.c + (double)l.v +
	       l.tag;
}

/* So many that the later ones go on the stack. */
static double many(struct point a, struct point b, struct point c, struct point d, struct point e,
                   struct mixed f, struct mixed g, struct mixed h, int i, struct floats j)
{
	return a.x + b.y * 2 + c.x * 3 + d.y * 4 + e.x * 5 + f.d * 6 + g.i * 7 + h.d * 8 + i * 9 +
	       j.c * 10;
}

static struct point choose(int which, struct point a, struct point b)
{
	return which ? a : b;
}

static struct list cons(int v, struct list *rest)
{
	return (struct list){v, rest};
}

int main(void)
{
	struct point p = {1.5, -2.5}, q = {10, 20};
	struct mixed m = {3.25, 7};
	struct floats f = {0.5f, 1.5f, 2.5f};
	struct ld l = {1.125L, 'x'};
	struct nested n, copy;
	struct ops ops = structs_ops();
	struct list one, two;
	div_t d = div(-17, 5);
	ldiv_t ld = ldiv(1000000000001L, 1000);

	test1(), test2(), test3(), test4(), test5(), test7(), test8(), test9(), test12(), test15();
	test16(), test17(), test24(), test100(), test1000();
	n = nest(m, p, 5);
	copy = n;
	copy.p[1] = choose(0, p, q);
	printf("%g %g\n", total(n, f, l), total(copy, f, l));
	printf("%g\n", many(p, q, p, q, p, m, m, m, 4, f));
	printf("%g\n", choose(n.n == 5, ops.add(p, q), ops.scale(p, 2)).y);
	printf("%g %d\n", structs_mixed(m, 3).d, structs_mixed(m, 3).i);
	printf("%Lg %c\n", structs_ld(l).v, structs_ld(l).tag);
	printf("%g %g %g\n", (double)structs_floats(f).a, (double)structs_floats(f).b,
	       (double)structs_floats(f).c);
	printf("%d %d %ld %ld\n", d.quot, d.rem, ld.quot, ld.rem);
	one = cons(1, NULL);
	two = cons(2, &one);
	printf("%d %d\n", two.v, two.rest->v);
	structs_none((struct empty){});
	return 0;
}
