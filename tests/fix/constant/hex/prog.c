/* Numbers written with base 16. */
#include <stdio.h>
#include <stdlib.h>

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 11;
	exit(2);
}

static long number(const char *text)
{
	long value = 0;

	while (*text)
		value = value * 16 + digit(*text++);
	return value;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s is %ld\n", argv[i], number(argv[i]));
	return 0;
}
