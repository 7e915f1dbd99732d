// run: 1
// run: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	int first, second;
};

static const char signs[] = "+-x/";
static char buffer[] = "0123456789";
static struct pair table[4];
static int n = 100;

static int global(void)
{
	return n;
}

static void show(struct pair *at, const char *sign, char *digit, char *in, int n)
{
	int *middle = &at->second;
	struct pair *chosen = &table[n / 10];

	printf("%d %d %s %s %s %d\n", at->first, at[1].second, sign, digit, in, n); /*show*/
	printf("%d %d %d\n", *middle, global(), chosen->first);
}

int main(int argc, char **argv)
{
	int number = atoi(argv[1]);
	struct pair *pairs = calloc(4, sizeof(*pairs));
	char *text = strdup("some words");

	pairs[1].first = pairs[2].second = number;
	table[3].first = number;
	n = 10 * number;
	show(pairs + 1, signs + number, buffer + 2 * number, text + number, n + 1);
	return 0;
}
