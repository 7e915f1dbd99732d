/* Levenshtein distance of two words, with small helpers that are known to be right. */
#include <stdio.h>
#include <string.h>

#define MOST 24

static int smaller(int a, int b)
{
	if (a < b)
		return a;
	return b;
}

static int smallest(int a, int b, int c)
{
	return smaller(smaller(a, b), c);
}

static int distance(const char *a, const char *b)
{
	int row[MOST + 1];
	int m = (int)strlen(a), n = (int)strlen(b);
	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 1; i <= m; i++) {
		int corner = row[0];
		row[0] = i - 1;
		for (int j = 1; j <= n; j++) {
			int above = row[j];
			int cost = a[i - 1] == b[j - 1] ? 0 : 1;
			row[j] = smallest(above + 1, row[j - 1] + 1, corner + cost);
			corner = above;
		}
	}
	return row[n];
}

int main(int argc, char **argv)
{
	if (argc != 3 || strlen(argv[1]) > MOST || strlen(argv[2]) > MOST)
		return 2;
	printf("%d\n", distance(argv[1], argv[2]));
	return 0;
}
