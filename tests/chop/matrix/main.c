/* matrix FILE WORD...: starts with a matrix; words are 't' (transpose), '+FILE' or '*FILE'. */
#include <stdlib.h>
#include "matrix.h"

static struct matrix *apply(struct matrix *matrix, const char *word)
{
	if (*word == 't')
		return matrix_transpose(matrix);
	struct matrix *other = matrix_read(word + 1);
	if (!other)
		return NULL;
	struct matrix *result = NULL;
	if (*word == '+')
		result = matrix_add(matrix, other);
	else if (*word == '*')
		result = matrix_multiply(matrix, other);
	free(other);
	return result;
}

int main(int argc, char **argv)
{
	struct matrix *matrix = argc > 1 ? matrix_read(argv[1]) : NULL;
	for (int i = 2; i < argc && matrix; i++) {
		struct matrix *next = apply(matrix, argv[i]);
		free(matrix);
		matrix = next;
	}
	if (!matrix) {
		fprintf(stderr, "cannot do that\n");
		return 2;
	}
	matrix_print(stdout, matrix);
	free(matrix);
	return 0;
}
