/* Counts vowels, blanks and the rest. */
#include <stdio.h>

int main(int argc, char **argv)
{
	int vowels = 0, blanks = 0, rest = 0;

	for (const char *at = argv[1]; *at; at++)
		switch (*at) {
		case 'a':
		case 'e':
		case 'i':
		case 'o':
		case 'u':
			vowels++;
		case '_':
			blanks++;
			break;
		default:
			rest++;
		}
	printf("%d vowels, %d blanks, %d others\n", vowels, blanks, rest);
	return 0;
}
