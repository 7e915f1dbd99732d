/* Sums of the bytes of words; \ and three octal digits are a byte. */
#include <stdio.h>
#include <stdlib.h>

static unsigned sum(const char *text)
{
	unsigned value = 0;

	while (*text) {
		char c = *text++;

		if (c == '\\') {
			char digits[4] = {text[0], text[1], text[2], 0};

			c = (char)strtol(digits, NULL, 8);
			text += 3;
		}
		value += c;
	}
	return value;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s: %u\n", argv[i], sum(argv[i]));
	return 0;
}
