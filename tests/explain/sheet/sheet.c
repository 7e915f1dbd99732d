#include "sheet.h"

#include <ctype.h>
#include <stddef.h>

static struct cell cells[ROWS][COLUMNS];

struct cell *cell_named(const char **text)
{
	int column = (*text)[0] - 'A';
	if (column < 0 || column >= COLUMNS)
		return NULL;
	int row = (*text)[1] - '1';
	if (row < 0 || row >= ROWS)
		return NULL;
	*text += 2;
	return &cells[row][column];
}

static int number_of(const char **text)
{
	int number = 0;
	while (isdigit((unsigned char)**text)) {
		number = 10 * number + (**text - '0');
		(*text)++;
	}
	return number;
}

static int term_read(const char **text, struct term *out)
{
	out->number = 0;
	out->cell = NULL;
	if (isdigit((unsigned char)**text)) {
		out->number = number_of(text);
		return 1;
	}
	out->cell = cell_named(text);
	return out->cell != NULL;
}

static int uses(const struct cell *cell, const struct cell *other)
{
	for (int i = 0; i < cell->count; i++) {
		if (cell->terms[i].cell == other)
			return 1;
	}
	return 0;
}

/* What was computed from this cell is not known any more. */
static void forget(struct cell *changed)
{
	changed->known = 0;
	for (int row = 0; row < ROWS; row++) {
		for (int column = 0; column < COLUMNS; column++) {
			struct cell *cell = &cells[row][column];
			if (cell->known && uses(cell, changed))
				cell->known = 0;
		}
	}
}

int cell_set(struct cell *cell, const char *text)
{
	cell->count = 0;
	for (;;) {
		if (cell->count == MOST_TERMS)
			return 0;
		if (!term_read(&text, &cell->terms[cell->count]))
			return 0;
		cell->count++;
		if (*text != '+')
			break;
		text++;
	}
	forget(cell);
	return *text == '\0';
}

int cell_value(struct cell *cell)
{
	if (cell->known || cell->busy)
		return cell->value;
	int sum = 0;
	cell->busy = 1;
	for (int i = 0; i < cell->count; i++) {
		const struct term *term = &cell->terms[i];
		sum += term->cell ? cell_value(term->cell) : term->number;
	}
	cell->busy = 0;
	cell->value = sum;
	cell->known = 1;
	return sum;
}
