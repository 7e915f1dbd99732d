/* A small spreadsheet: cells A1 to H8, each a number or a sum of cells and numbers. */
#ifndef SHEET_H
#define SHEET_H

#define COLUMNS    8
#define ROWS       8
#define MOST_TERMS 6

struct cell;

/* A number, or what a cell has. */
struct term {
	struct cell *cell; /* NULL: a number */
	int number;
};

struct cell {
	struct term terms[MOST_TERMS];
	int count;
	int value; /* of the sum, when it is known */
	int known;
	int busy; /* is being computed */
};

/* NULL: that is no name of a cell. *text is moved behind it. */
struct cell *cell_named(const char **text);

/* Makes the cell this sum. 0: it is none. */
int cell_set(struct cell *cell, const char *text);

/* 0 for cells that depend on themselves. */
int cell_value(struct cell *cell);

#endif
