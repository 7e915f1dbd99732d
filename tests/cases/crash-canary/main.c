/* The same with a stack protector: the C library reports it and aborts. */
#include <stdio.h>
#include <string.h>

static int parse(const char *text, int n)
{
	char word[8];

	for (int i = 0; i < n; i++)
		word[i] = text[i];
	return word[0];
}

int main(void)
{
	char text[40];

	memset(text, 0x41, sizeof(text));
	printf("%d\n", parse(text, 8));
	fflush(stdout);
	printf("%d\n", parse(text, 40));
	return 0;
}
