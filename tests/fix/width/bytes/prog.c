/* Counts the bytes and the lines of its input. */
#include <stdio.h>

int main(void)
{
	int bytes = 0, lines = 0;
	char c; /* should be an int: a byte is not the end of the file */

	while ((c = getchar()) != EOF) {
		bytes++;
		if (c == '\n')
			lines++;
	}
	printf("%d bytes, %d lines\n", bytes, lines);
	return 0;
}
