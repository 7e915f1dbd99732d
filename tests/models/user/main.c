#include "rec.h"

static int compare(int a, int b)
{
	return a - b;
}

int main(void)
{
	struct rec *r = rec_open("x");
	int fields[3];
	int n = rec_read(r, fields, 3, stdin);

	rec_sort(r, fields, n, compare);
	for (int i = 0; i < n; i++)
		printf("%c\n", fields[i]);
	printf("%d %s\n", r->count, rec_error());
	rec_close(r);
	return 0;
}
