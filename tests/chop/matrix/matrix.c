#include <assert.h>
#include <stdlib.h>
#include "matrix.h"

struct matrix *matrix_new(int rows, int columns)
{
	struct matrix *matrix;
	matrix = calloc(1, sizeof *matrix + rows * columns * sizeof *matrix->cells);
	matrix->rows = rows;
	matrix->columns = columns;
	return matrix;
}

int *matrix_at(struct matrix *matrix, int row, int column)
{
	assert(row >= 0 && row < matrix->rows);
	assert(column >= 0 && column < matrix->columns);
	return &matrix->cells[row * matrix->columns + column];
}

struct matrix *matrix_add(struct matrix *a, struct matrix *b)
{
	if (a->rows != b->rows || a->columns != b->columns)
		return NULL;
	struct matrix *sum = matrix_new(a->rows, a->columns);
	for (int row = 0; row < a->rows; row++) {
		for (int column = 0; column < a->columns; column++) {
			*matrix_at(sum, row, column) =
				*matrix_at(a, row, column) + *matrix_at(b, row, column);
		}
	}
	return sum;
}

static int dot(struct matrix *a, struct matrix *b, int row, int column)
{
	int sum = 0;
	for (int i = 0; i < a->columns; i++)
		sum += *matrix_at(a, row, i) * *matrix_at(b, i, column);
	return sum;
}

struct matrix *matrix_multiply(struct matrix *a, struct matrix *b)
{
	if (a->columns != b->rows)
		return NULL;
	struct matrix *product = matrix_new(b->columns, a->rows);
	for (int row = 0; row < a->rows; row++) {
		for (int column = 0; column < b->columns; column++)
			*matrix_at(product, row, column) = dot(a, b, row, column);
	}
	return product;
}

struct matrix *matrix_transpose(struct matrix *matrix)
{
	struct matrix *turned = matrix_new(matrix->columns, matrix->rows);
	for (int row = 0; row < matrix->rows; row++) {
		for (int column = 0; column < matrix->columns; column++)
			*matrix_at(turned, column, row) = *matrix_at(matrix, row, column);
	}
	return turned;
}
