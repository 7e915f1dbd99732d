/* A file has the number of rows and of columns, and then the cells. */
#include <stdlib.h>
#include "matrix.h"

struct matrix *matrix_read(const char *path)
{
	int rows, columns;
	FILE *in = fopen(path, "r");
	if (!in)
		return NULL;
	struct matrix *matrix = NULL;
	if (fscanf(in, "%d %d", &rows, &columns) == 2 && rows > 0 && columns > 0 && rows < 100 &&
	    columns < 100) {
		matrix = matrix_new(rows, columns);
		for (int i = 0; i < rows * columns; i++) {
			if (fscanf(in, "%d", &matrix->cells[i]) != 1)
				matrix->cells[i] = 0;
		}
	}
	fclose(in);
	return matrix;
}

void matrix_print(FILE *out, struct matrix *matrix)
{
	for (int row = 0; row < matrix->rows; row++) {
		for (int column = 0; column < matrix->columns; column++)
			fprintf(out, "%6d", *matrix_at(matrix, row, column));
		fputc('\n', out);
	}
}
