/* roman WORD...: numbers to numerals and numerals to numbers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include "roman.h"

static void convert(const char *word)
{
	if (isdigit((unsigned char)*word)) {
		char text[64];
		int number = atoi(word);
		if (number < 1 || number > 3999) {
			printf("%d is out of range\n", number);
			return;
		}
		roman_format(number, text);
		printf("%d is %s\n", number, text);
	} else {
		int number = roman_parse(word);
		if (number < 0)
			printf("%s is no numeral\n", word);
		else
			printf("%s is %d\n", word, number);
	}
}

int main(int argc, char **argv)
{
	roman_prepare();
	for (int i = 1; i < argc; i++)
		convert(argv[i]);
	return 0;
}
