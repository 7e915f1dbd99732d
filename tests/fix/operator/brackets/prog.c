/* Says how deep the brackets of its argument are nested. They are known to match. */
#include <stdio.h>
#include <stdlib.h>

static int deepest;

static int walk(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		if (*text == '(')
			depth++;
		else if (*text == ')')
			depth++;
		if (depth > deepest)
			deepest = depth;
	}
	return depth;
}

int main(int argc, char **argv)
{
	int left = walk(argv[1]);

	if (left) {
		fprintf(stderr, "%d brackets are open\n", left);
		exit(3);
	}
	printf("deepest: %d\n", deepest);
	return 0;
}
