/* Characters with their codes: prog TEXT */
#include <stdio.h>

int main(int argc, char **argv)
{
	for (const char *c = argc > 1 ? argv[1] : ""; *c; c++)
		printf("U+%04d %c\n", (unsigned char)*c, *c);
	return 0;
}
