#include <stddef.h>

#include "cells.h"

struct cell *sheet_cell(struct sheet *s, struct place place)
{
	return &s->cells[place.row][place.column];
}

/* The value of a cell; an error of it is one of whoever needs it. */
static double value_at(struct sheet *s, struct place place, const char **error)
{
	struct cell *cell = sheet_cell(s, place);

	sheet_compute(s, place);
	if (cell->state == UNDER_WAY)
		*error = "circle";
	else if (cell->error)
		*error = cell->error;
	return cell->value;
}

static double operate(char sign, double a, double b, const char **error)
{
	switch (sign) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	default:
		if (b != 0)
			return a / b;
		*error = "by zero";
		return 0;
	}
}

static double value_of_range(struct sheet *s, const struct node *node, const char **error)
{
	struct summary all = {.count = 0};
	struct place p;

	for (p.row = node->range.first.row; p.row <= node->range.last.row; p.row++)
		for (p.column = node->range.first.column; p.column <= node->range.last.column;
		     p.column++) {
			double value;

			if (!sheet_cell(s, p)->formula)
				continue;
			value = value_at(s, p, error);
			all.sum += value;
			if (all.count == 0 || value < all.least)
				all.least = value;
			if (all.count == 0 || value > all.most)
				all.most = value;
			all.count++;
		}
	return node->function->result(&all);
}

static double value_of(struct sheet *s, const struct node *node, const char **error)
{
	switch (node->kind) {
	case N_NUMBER: return node->number;
	case N_CELL: return value_at(s, node->place, error);
	case N_NEGATIVE: return -value_of(s, node->left, error);
	case N_FUNCTION: return value_of_range(s, node, error);
	default: {
		double left = value_of(s, node->left, error);
		double right = value_of(s, node->right, error);

		return operate(node->sign, left, right, error);
	}
	}
}

void sheet_compute(struct sheet *s, struct place place)
{
	struct cell *cell = sheet_cell(s, place);

	if (cell->state != UNKNOWN)
		return;
	cell->state = UNDER_WAY;
	if (cell->formula)
		cell->value = value_of(s, cell->formula, &cell->error);
	cell->state = KNOWN;
}
