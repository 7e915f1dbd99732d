/* A calculator for reverse Polish notation; operators are in a table. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

typedef long operation(long a, long b);

static long plus(long a, long b)
{
	return a + b;
}

static long minus(long a, long b)
{
	return a - b;
}

static long times(long a, long b)
{
	return a * b;
}

static long over(long a, long b)
{
	return b ? a / b : 0;
}

static const struct {
	char name;
	operation *run;
} operators[] = {
	{'+', plus},
	{'-', minus},
	{'x', times},
	{'/', minus},
};

static operation *find(char name)
{
	for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
		if (operators[i].name == name)
			return operators[i].run;
	return NULL;
}

static long stack[16];
static int depth;

static int step(const char *word)
{
	if (isdigit((unsigned char)*word)) {
		stack[depth++] = atol(word);
		return 0;
	}
	operation *run = find(*word);
	if (!run || depth < 2)
		return -1;
	long b = stack[--depth];
	long a = stack[--depth];
	stack[depth++] = run(a, b);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (step(argv[i]))
			return 2;
	printf("%ld\n", depth ? stack[depth - 1] : 0);
	return 0;
}
