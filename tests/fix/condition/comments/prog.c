/* Takes comments off: from # to the end of the line, but not within quotes. */
#include <stdio.h>

int main(void)
{
	int c, quoted = 0, comment = 0;

	while ((c = getchar()) != EOF) {
		if (c == '\n')
			quoted = comment = 0;
		if (c == '"' && !comment)
			quoted = !quoted;
		if (c == '#')
			comment = 1;
		if (!comment)
			putchar(c);
	}
	return 0;
}
