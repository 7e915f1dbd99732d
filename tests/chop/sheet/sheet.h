/* Sums of the columns of a table. */
#ifndef SHEET_H
#define SHEET_H

#include <stdio.h>

#define COLUMNS 6

struct column {
	double sum, least, most;
};

struct sheet {
	char title[24];
	unsigned columns;
	unsigned rows;
	struct column totals[COLUMNS];
};

extern struct sheet sheet;

/* Like printf, with the number of the line, to standard error. */
void complain(unsigned line, const char *format, ...);

void sheet_start(const char *name, unsigned columns);
/* False: the line has not as many numbers as there are columns. */
int sheet_add(char *line);
void sheet_print(FILE *out);

#endif
