#include <ctype.h>
#include <string.h>
#include "morse.h"

static const char *const letters[26] = {
	".-",   "-...", "-.-.", "-..",  ".",   "..-.", "--.",  "....", "..",
	".---", "-.-",  ".-..", "--",   "-.",  "---",  ".--.", "--.-", ".-.",
	"...",  "-",    ".--",  "...-", ".--", "-..-", "-.--", "--..",
};

static const char *const digits[10] = {
	"-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..", "----.",
};

const char *morse_code(int c)
{
	if (isdigit(c))
		return digits[c - '0'];
	return isalpha(c) ? letters[toupper(c) - 'A'] : NULL;
}

int morse_character(const char *code)
{
	for (int i = 0; i < 26; i++) {
		if (!strcmp(letters[i], code))
			return 'A' + i;
	}
	for (int i = 0; i < 10; i++) {
		if (!strcmp(digits[i], code))
			return '0' + i;
	}
	return 0;
}
