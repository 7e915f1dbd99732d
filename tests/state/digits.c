// run: 12
// run: 345
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The digits of a number, 0 to 9 and no text, are allocated by a function that returns something else.
struct number {
	int length;
	char *digits;
};

static struct number *make(const char *text)
{
	struct number *n = malloc(sizeof(*n));

	n->length = (int)strlen(text);
	n->digits = malloc(n->length + 1);
	for (int i = 0; i < n->length; i++)
		n->digits[i] = text[i] - '0';
	return n;
}

int main(int argc, char **argv)
{
	struct number *n = make(argv[1]);
	int sum = 0;

	for (int i = 0; i < n->length; i++) /*made*/
		sum += n->digits[i];
	printf("%d\n", sum);
	return 0;
}
