/* A library that is not built with hence cc: the example of docs/models.md. */
#include "rec.h"

#include <stdlib.h>

struct rec *rec_open(const char *path)
{
	struct rec *r = calloc(1, sizeof(*r));

	r->count = path[0] == 'x';
	return r;
}

int rec_read(struct rec *r, int *fields, int n, FILE *in)
{
	return (int)fread(fields, sizeof(int), (size_t)n, in);
}

void rec_sort(struct rec *r, int *fields, int n, int (*cmp)(int, int))
{
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && cmp(fields[k - 1], fields[k]) > 0; k--) {
			int other = fields[k];

			fields[k] = fields[k - 1];
			fields[k - 1] = other;
		}
}

const char *rec_error(void)
{
	return "no error";
}

void rec_close(struct rec *r)
{
	free(r);
}
