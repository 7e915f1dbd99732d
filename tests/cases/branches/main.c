/* Conditions in all shapes: if chains, && and || with side effects, ?:, comma, nested and negated.
 */
#include <stdbool.h>
#include <stdio.h>

static int calls;

static bool yes(int tag)
{
	calls = calls * 3 + tag;
	return true;
}

static bool no(int tag)
{
	calls = calls * 3 - tag;
	return false;
}

static const char *grade(int points)
{
	if (points >= 90)
		return "A";
	else if (points >= 75)
		return "B";
	else if (points >= 50)
		return "C";
	return points < 0 ? "invalid" : "F";
}

static int sign(long long v)
{
	return v < 0 ? -1 : v > 0 ? 1 : 0;
}

static int classify(int a, int b, int c)
{
	if (a + b <= c || a + c <= b || b + c <= a)
		return 0;
	if (a == b && b == c)
		return 3;
	if (a == b || b == c || a == c)
		return 2;
	return 1;
}

static unsigned lazy(void)
{
	unsigned bits = 0;

	bits |= (unsigned)(yes(1) && no(2) && yes(3)) << 0;
	bits |= (unsigned)(no(1) || yes(2) || no(3)) << 1;
	bits |= (unsigned)(!(yes(4) && !no(5)) || (yes(6) && yes(7))) << 2;
	bits |= (unsigned)((yes(1) ? no(2) : yes(3)) || (no(4) ? yes(5) : no(6))) << 3;
	bits |= (unsigned)((no(8), (int)yes(9)) & ((int)yes(1) + (int)no(2))) << 4;
	return bits;
}

static int nested(int x, int y, int z)
{
	int r = 0;

	if (x) {
		if (y) {
			r = z ? 7 : 6;
		} else {
			if (z)
				r = 5;
			else
				r = 4;
		}
	} else if (y && z) {
		r = 3;
	} else {
		r = (y ? 2 : z ? 1 : 0);
	}
	return r;
}

static int pointers(const char *p, const char *q, double d)
{
	int r = 0;

	if (p)
		r |= 1;
	if (!q)
		r |= 2;
	if (p && *p)
		r |= 4;
	if (d)
		r |= 8;
	if (p != q && !(d > 1.0))
		r |= 16;
	return r;
}

static int elvis(int a, int b)
{
	return a ?: b ?: -1;
}

int main(void)
{
	static const int points[] = {100, 90, 89, 75, 74, 50, 49, 0, -5};
	int total = 0;

	for (unsigned i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		printf("%d %s\n", points[i], grade(points[i]));
	printf("%d %d %d\n", sign(-5000000000LL), sign(0), sign(1LL << 40));
	for (int a = 1; a < 6; a++)
		for (int b = 1; b < 6; b++)
			for (int c = 1; c < 6; c++)
				total = total * 5 + classify(a, b, c), total %= 99991;
	printf("triangles %d\n", total);
	printf("lazy %#x", lazy());
	printf(" calls %d\n", calls);
	for (int i = 0; i < 8; i++)
		printf("%d", nested(i & 4, i & 2, i & 1));
	printf("\n%d %d %d\n", pointers("a", NULL, 0.0), pointers("", "b", 0.5),
	       pointers(NULL, "", -2.0));
	printf("%d %d %d\n", elvis(3, 4), elvis(0, 4), elvis(0, 0));
	return total % 7;
}
