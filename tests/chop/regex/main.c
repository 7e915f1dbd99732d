/* regex PATTERN: prints the lines of standard input that match, and where. */
#include <stdio.h>
#include <string.h>
#include "regex.h"

int main(int argc, char **argv)
{
	struct regex regex;
	if (argc != 2 || !regex_parse(&regex, argv[1])) {
		fprintf(stderr, "usage: regex PATTERN\n");
		return 2;
	}
	char line[200];
	int found = 0;
	while (fgets(line, sizeof line, stdin)) {
		int length, at;
		line[strcspn(line, "\n")] = 0;
		at = regex_find(&regex, line, &length);
		if (at < 0)
			continue;
		printf("%d-%d: %s\n", at, at + length, line);
		found = 1;
	}
	regex_free(&regex);
	return !found;
}
