/* Prints each letter of a(b(c)d) with its depth. */
#include <ctype.h>
#include <stdio.h>

static const char *at;

static void level(int depth)
{
	while (*at && *at != ')') {
		char c = *at++;
		if (c == '(') {
			int inner = depth > 1 ? depth + 2 : depth + 1;
			level(inner);
			if (*at == ')')
				at++;
		} else if (isalpha((unsigned char)c)) {
			printf("%c %d\n", c, depth);
		}
	}
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	at = argv[1];
	level(0);
	return 0;
}
