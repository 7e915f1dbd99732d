/* Reads a spreadsheet, one cell in a line, and prints the values of all cells. */
#include <stdio.h>
#include <string.h>

#include "cells.h"

static struct sheet sheet;

int main(void)
{
	char line[200];

	for (int number = 1; fgets(line, sizeof line, stdin); number++) {
		const char *error;

		line[strcspn(line, "#\n")] = '\0';
		error = parse_line(&sheet, line);
		if (error)
			printf("line %d: %s\n", number, error);
	}
	sheet_print(&sheet);
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			node_free(sheet.cells[row][column].formula);
	return 0;
}
