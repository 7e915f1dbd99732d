/* Prints its arguments. Nothing is done about escapes. */
#include <stdio.h>

static void show(const char *text)
{
	int length = 0;

	for (; *text; text++) {
		putchar(*text);
		length++;
	}
	printf(" %d\n", length);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		show(argv[i]);
	return 0;
}
