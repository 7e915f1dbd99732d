#include <stdio.h>
#include <string.h>

static char text[8] = "abcdefg";

struct pair {
	char first[4];
	char second[4];
};

int main(void)
{
	struct pair p = {"abc", "def"};
	char *end = text + sizeof(text);
	int n = 0;
	for (char *at = text; at != end; at++)
		n += *at != 0;
	for (char *at = p.first; at != &p.first[4]; at++)
		n += *at != 0;
	/* The members are filled one by one, up to the last byte. */
	strncpy(p.first, "wxyz", sizeof(p.first));
	strncpy(p.second, "w", sizeof(p.second));
	printf("%d %.4s %s\n", n, p.first, p.second);
	return 0;
}
