/* Prints words without their vowels. */
#include <stdio.h>

static int is_consonant(char letter)
{
	if (letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o')
		return 0;
	return 1;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		for (char *at = argv[i]; *at; at++)
			if (is_consonant(*at))
				putchar(*at);
		putchar('\n');
	}
	return 0;
}
