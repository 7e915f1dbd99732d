/* Adds a number to each record of a table: standard input, and the result on standard output. */
#include <stdio.h>

#define FIELD  ' '
#define RECORD '\n'

int main(void)
{
	int c, fields = 1, record = 1;

	while ((c = getchar()) != EOF) {
		if (c == FIELD)
			fields++;
		if (c == RECORD) {
			putchar(FIELD);
			printf("%d:%d", record++, fields);
			fields = 1;
		}
		putchar(c);
	}
	return 0;
}
