#include <stdio.h>

#include "cells.h"

/* The number of rows and columns up to the last that has something. */
static struct place used(const struct sheet *s)
{
	struct place end = {0, 0};

	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++) {
			if (!s->cells[row][column].formula)
				continue;
			end.row = row + 1;
			if (column >= end.column)
				end.column = column + 1;
		}
	return end;
}

static void print_cell(const struct cell *cell)
{
	if (cell->error)
		printf(" %9s", cell->error);
	else if (cell->formula)
		printf(" %9.2f", cell->value);
	else
		printf(" %9s", "");
}

void sheet_print(struct sheet *s)
{
	struct place end = used(s);
	struct place p;

	printf("  ");
	for (int column = 0; column < end.column; column++)
		printf(" %9c", 'A' + column);
	printf("\n");
	for (p.row = 0; p.row < end.row; p.row++) {
		printf("%2d", p.row + 1);
		for (p.column = 0; p.column < end.column; p.column++) {
			sheet_compute(s, p);
			print_cell(sheet_cell(s, p));
		}
		printf("\n");
	}
}
