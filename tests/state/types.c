// run: 2
// run: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum color { RED, GREEN, BLUE };
typedef unsigned char byte;

struct point {
	short x, y;
};

union number {
	int i;
	float f;
	char *s;
	struct {
		short kind;
		double d;
	} real;
};

struct record {
	unsigned low : 3, high : 9;
	signed sign : 4;
	char pad; // never written, as the bytes behind it: that is no difference
	enum color color;
	struct point points[2];
	union number number, same, real;
	_Bool ok;
	long double wide;
	float narrow;
	_Complex double z;
	int (*call)(int);
	struct {
		int inner;
	};
	byte raw[4];
};

struct flexible {
	int count;
	long data[];
};

static int up(int x)
{
	return x + 1;
}

static int down(int x)
{
	return x - 1;
}

int grid[2][3];
static long long many[4] = {1, 2, 3, 4};
static __thread int mine;

static int check(struct record *r, struct flexible *f, struct point p, const char *which)
{
	static int calls = 5;

	calls += r->call(p.x);
	printf("%d %s %d\n", calls + r->call(1), which, p.x); /*check*/
	printf("%d %d %d %d %d\n", r->low, r->high, r->sign, r->color, r->points[1].x);
	printf("%g %g %d %Lg %g\n", r->same.f, r->real.real.d, r->ok, r->wide, r->narrow);
	printf("%d %d %d\n", r->number.i, r->inner, r->raw[1]);
	printf("%ld %d %lld %d\n", f->data[1], grid[1][2], many[3], mine);
	return f->count;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	struct record r;
	struct flexible *f = malloc(sizeof(*f) + 2 * sizeof(long));
	struct point p = {(short)n, 7};

	r.low = n;
	r.high = 300 + n;
	r.sign = -n;
	r.color = n == 2 ? GREEN : BLUE;
	r.points[0].x = r.points[0].y = r.points[1].y = 1;
	r.points[1].x = (short)n;
	if (n == 2)
		r.number.i = 7;
	else
		r.number.f = 1.5f;
	r.same.f = n / 2.0f;
	r.real.real.kind = 1;
	r.real.real.d = n;
	r.ok = n == 3;
	r.wide = n / 4.0L;
	r.narrow = n;
	r.z = n;
	r.call = n == 2 ? up : down;
	r.inner = n;
	memset(r.raw, n, 2);
	f->count = 2;
	f->data[0] = 5;
	f->data[1] = 10 * n;
	grid[1][2] = n;
	many[3] = n;
	mine = n;
	return check(&r, f, p, n == 2 ? "two" : "more");
}
