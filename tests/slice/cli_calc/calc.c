#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include "stack.h"

static long power(long base, long n)
{
	if (n == 0)
		return 1;
	return base * power(base, n - 1);
}

static void apply(const char *word)
{
	long a, b;

	b = pop();
	a = pop();
	if (!strcmp(word, "+"))
		push(a + b);
	else if (!strcmp(word, "-"))
		push(a - b);
	else
		push(power(a, b));
}

int main(int argc, char **argv)
{
	int words = 0;
	long result;
	char label[16];

	for (int i = 1; i < argc; i++) {
		words++;
		if (strchr("+-^", argv[i][0]))
			apply(argv[i]);
		else
			push(atol(argv[i]));
	}
	strcpy(label, "result");
	result = pop();
	printf("%d words\n", words);
	printf("%s %ld\n", label, result);
	return 0;
}
