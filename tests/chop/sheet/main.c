/*
 * sheet FILE: the first line is the name of the table, the second the names of the columns, all
 * others are numbers, separated by commas.
 */
#include <stdlib.h>
#include <string.h>
#include "sheet.h"

static unsigned count_fields(const char *line)
{
	unsigned count = 1;
	for (; *line; line++)
		count += *line == ',';
	return count;
}

static int read_head(FILE *in)
{
	char name[64], line[200];
	if (!fgets(name, sizeof name, in) || !fgets(line, sizeof line, in))
		return 0;
	name[strcspn(name, "\n")] = 0;
	unsigned columns = count_fields(line);
	if (columns > COLUMNS) {
		complain(2, "more than %d columns\n", COLUMNS);
		return 0;
	}
	sheet_start(name, columns);
	return 1;
}

int main(int argc, char **argv)
{
	FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
	if (!in || !read_head(in)) {
		fprintf(stderr, "no table to read\n");
		return 2;
	}
	char line[200];
	for (unsigned number = 3; fgets(line, sizeof line, in); number++) {
		if (line[0] != '\n' && line[0] != '#' && !sheet_add(line))
			complain(number, "not %u numbers\n", sheet.columns);
	}
	fclose(in);
	sheet_print(stdout);
	return 0;
}
