/* Many activations of the same functions at once, with addresses of locals handed down and up. */
#include <stdio.h>

static int calls;

static int ackermann(int m, int n)
{
	calls++;
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);

static int is_even(unsigned n)
{
	return n == 0 || is_odd(n - 1);
}

static int is_odd(unsigned n)
{
	return n != 0 && is_even(n - 1);
}

struct chain {
	int value;
	const struct chain *up;
};

/* Each activation's local is linked to its caller's. */
static int climb(const struct chain *up, int depth)
{
	struct chain here = {depth * depth, up};
	int sum = 0;

	if (depth < 6)
		return climb(&here, depth + 1) + here.value;
	for (const struct chain *c = &here; c; c = c->up)
		sum += c->value;
	return sum;
}

static void swap(int *a, int *b)
{
	int t = *a;

	*a = *b;
	*b = t;
}

static void sort(int *from, int *to)
{
	int *i, *j, pivot;

	if (to - from < 2)
		return;
	pivot = from[(to - from) / 2];
	for (i = from, j = to - 1; i <= j;) {
		while (*i < pivot)
			i++;
		while (*j > pivot)
			j--;
		if (i <= j)
			swap(i++, j--);
	}
	sort(from, j + 1);
	sort(i, to);
}

static int *maximum(int *a, int *b)
{
	return *a > *b ? a : b;
}

int main(void)
{
	int numbers[14], *best = &numbers[0];
	unsigned state = 7;

	for (int i = 0; i < 14; i++) {
		state = state * 1103515245u + 12345u;
		numbers[i] = (int)(state >> 16) % 100;
		best = maximum(best, &numbers[i]);
	}
	*best = 50;
	sort(numbers, numbers + 13);
	printf("%d %d %d %d\n", ackermann(2, 2), calls, is_even(9), climb(NULL, 0));
	for (int i = 0; i < 14; i++)
		printf("%d ", numbers[i]);
	printf("\n");
	return 0;
}
