/* Matrices of whole numbers. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdio.h>

struct matrix {
	int rows, columns;
	int cells[];
};

struct matrix *matrix_new(int rows, int columns);
int *matrix_at(struct matrix *matrix, int row, int column);

/* NULL: the file has no matrix. */
struct matrix *matrix_read(const char *path);
void matrix_print(FILE *out, struct matrix *matrix);

/* All make a new matrix; NULL when the sizes do not fit. */
struct matrix *matrix_add(struct matrix *a, struct matrix *b);
struct matrix *matrix_multiply(struct matrix *a, struct matrix *b);
struct matrix *matrix_transpose(struct matrix *matrix);

#endif
