/* Words of standard input, with their lengths. */
#include <stdio.h>

static int is_blank(int c)
{
	return c == ' ' || c == '\n';
}

int main(void)
{
	int c, length = 0, longest = 0, words = 0;

	while ((c = getchar()) != EOF) {
		if (is_blank(c) || length > 0) {
			printf("%d ", length);
			if (length > longest)
				longest = length;
			words++;
			length = 0;
		}
		if (!is_blank(c))
			length++;
	}
	printf("\n%d words, longest %d\n", words, longest);
	return 0;
}
