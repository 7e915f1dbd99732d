/* Arrays whose size is known at run time: 1D, 2D, as parameters, in loops, left by goto; alloca. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static unsigned fill(int n, int v[n])
{
	unsigned sum = 0;

	for (int i = 0; i < n; i++) {
		v[i] = i * i - n;
		sum = sum * 31 + (unsigned)v[i];
	}
	return sum;
}

static long trace(int rows, int cols, double m[rows][cols])
{
	double sum = 0;

	for (int i = 0; i < rows && i < cols; i++)
		sum += m[i][i] * 10;
	return (long)sum;
}

static void transpose(int n, int m, int from[n][m], int (*to)[n])
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			to[j][i] = from[i][j];
}

static unsigned in_loop(int n)
{
	unsigned sum = 0;

	for (int i = 1; i <= n; i++) {
		char text[i * 3];
		int numbers[i];

		memset(text, 'a' + i % 26, sizeof(text));
		sum = sum * 31 + (unsigned)text[i] + (unsigned)sizeof(text);
		sum += fill(i, numbers);
		if (sum % 11 == 0)
			continue;
		if (sum % 97 == 3)
			break;
	}
	return sum;
}

static int by_goto(int n)
{
	int tries = 0;

again : {
	int v[n];

	v[n - 1] = tries;
	tries += v[n - 1] + 1;
	if (tries < 100) {
		n++;
		goto again;
	}
}
	return tries * 100 + n;
}

struct link {
	struct link *next;
	int value;
};

static int chain(int n)
{
	struct link *head = NULL;
	int sum = 0;

	for (int i = 0; i < n; i++) {
		struct link *l = alloca(sizeof(*l));

		l->next = head;
		l->value = i;
		head = l;
	}
	for (; head; head = head->next)
		sum = (sum * 3 + head->value) % 10007;
	return sum;
}

static int recursive(int n)
{
	char *text = alloca((size_t)n + 1);
	int v[n + 1];

	memset(text, 'x', (size_t)n);
	text[n] = 0;
	v[n] = n ? recursive(n - 1) : 0;
	return v[n] * 3 % 1009 + (int)strlen(text);
}

static size_t sizes(int n)
{
	int side = 2;
	typedef int row[n];
	row a[side++];
	size_t s = sizeof(a) + sizeof(row) + sizeof(int[n][side]);

	n = 100;
	return s * 10 + sizeof(a[0]) / sizeof(int);
}

int main(void)
{
	int n = 7, from[3][5], to[5][3], v[40];
	double m[n][n + 2];

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n + 2; j++)
			m[i][j] = i * 1.5 + j * 0.25;
	printf("%u %u\n", fill(40, v), fill(1, v));
	printf("%ld %ld\n", trace(n, n + 2, m), (long)sizeof(m));
	for (int i = 0; i < 15; i++)
		from[i / 5][i % 5] = i;
	transpose(3, 5, from, to);
	for (int i = 0; i < 15; i++)
		printf("%d ", to[i / 3][i % 3]);
	printf("\n%u %d %d %d\n", in_loop(60), by_goto(3), chain(20), recursive(40));
	printf("%zu\n", sizes(6));
	return 0;
}
