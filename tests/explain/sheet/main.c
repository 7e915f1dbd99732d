/* Reads lines: A1=B2+3 sets a cell, A1 prints it. */
#include <stdio.h>
#include <string.h>

#include "sheet.h"

static void complain(int number, const char *line)
{
	printf("line %d: what is '%s'?\n", number, line);
}

static void do_line(int number, const char *line)
{
	const char *at = line;
	struct cell *cell = cell_named(&at);
	if (cell && *at == '\0')
		printf("%d\n", cell_value(cell));
	else if (!cell || *at != '=' || !cell_set(cell, at + 1))
		complain(number, line);
}

int main(void)
{
	char line[100];
	for (int number = 1; fgets(line, sizeof line, stdin); number++) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0])
			do_line(number, line);
	}
	return 0;
}
