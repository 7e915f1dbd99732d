/* morse WORD...: prints the words in Morse code, and checks that they can be read again. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "morse.h"

static void send(const char *word)
{
	for (const char *at = word; *at; at++) {
		const char *code = morse_code((unsigned char)*at);
		if (!code)
			continue;
		assert(morse_character(code) == toupper((unsigned char)*at));
		printf("%s%s", at == word ? "" : " ", code);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		send(argv[i]);
	return 0;
}
