/*
 * A program that fails (exit code 1) when its input has certain lines in their order; which, stands in a file. With a third
 * argument the input is that file, else standard input.
 *
 *	reduce_needs LINES [INPUT]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	FILE *lines = argc > 1 ? fopen(argv[1], "r") : NULL;
	FILE *input = argc > 2 ? fopen(argv[2], "r") : stdin;
	char wanted[256], line[256];

	if (!lines || !input)
		return 2;
	while (fgets(wanted, sizeof(wanted), lines)) {
		do {
			if (!fgets(line, sizeof(line), input))
				return 0;
		} while (strcmp(line, wanted));
	}
	return 1;
}
