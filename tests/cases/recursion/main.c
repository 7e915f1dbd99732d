/* Recursion: mutual, deep (20,000 levels), through pointers, tree-shaped, tail calls, with large
 * frames. */
#include <stdio.h>
#include <string.h>

static int is_odd(unsigned n);

static int is_even(unsigned n)
{
	return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(unsigned n)
{
	return n == 0 ? 0 : is_even(n - 1);
}

static long deep(long n)
{
	if (n == 0)
		return 0;
	return n + deep(n - 1) % 1000003;
}

static unsigned ackermann(unsigned m, unsigned n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static void hanoi(int n, int from, int to, unsigned *moves)
{
	if (n == 0)
		return;
	hanoi(n - 1, from, 6 - from - to, moves);
	*moves = *moves * 3 + (unsigned)(from * 4 + to);
	hanoi(n - 1, 6 - from - to, to, moves);
}

static int queens(int row, int *cols, int n)
{
	int found = 0;

	if (row == n)
		return 1;
	for (int c = 0; c < n; c++) {
		int ok = 1;

		for (int r = 0; ok && r < row; r++)
			ok = cols[r] != c && cols[r] - c != row - r && c - cols[r] != row - r;
		if (ok) {
			cols[row] = c;
			found += queens(row + 1, cols, n);
		}
	}
	return found;
}

typedef int (*step)(int, void *);

static int bounce(int n, void *other)
{
	step f;

	memcpy(&f, other, sizeof(f));
	return n <= 0 ? n : f(n - 3, other) + 1;
}

static int expression(const char **p);

static int factor(const char **p)
{
	int v = 0;

	if (**p == '(') {
		++*p;
		v = expression(p);
		++*p;
		return v;
	}
	while (**p >= '0' && **p <= '9')
		v = v * 10 + *(*p)++ - '0';
	return v;
}

static int term(const char **p)
{
	int v = factor(p);

	while (**p == '*') {
		++*p;
		v *= factor(p);
	}
	return v;
}

static int expression(const char **p)
{
	int v = term(p);

	while (**p == '+' || **p == '-') {
		char op = *(*p)++;
		int t = term(p);

		v = op == '+' ? v + t : v - t;
	}
	return v;
}

static int large_frame(int n)
{
	char room[5000];

	memset(room, n, sizeof(room));
	return n ? large_frame(n - 1) * 2 % 10007 + room[4999] : room[0];
}

int main(void)
{
	const char *text = "2*(3+4*(5-1))-(6)*2+1";
	int cols[8];
	unsigned moves = 0;
	step f = bounce;

	printf("%d %d\n", is_even(20000), is_odd(19999));
	printf("%ld\n", deep(20000));
	printf("%u\n", ackermann(2, 7));
	hanoi(9, 1, 3, &moves);
	printf("%u %d\n", moves, queens(0, cols, 6));
	printf("%d %d %d\n", bounce(1000, &f), expression(&text), large_frame(100));
	return 0;
}
