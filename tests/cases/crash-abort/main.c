/* Calls abort deep inside, below a library callback. */
#include <stdio.h>
#include <stdlib.h>

static int compared;

static int compare(const void *a, const void *b)
{
	if (++compared == 9) {
		fprintf(stderr, "giving up\n");
		abort();
	}
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int v[16];

	for (int i = 0; i < 16; i++)
		v[i] = i * 7 % 16;
	printf("lost in the buffer\n");
	qsort(v, 16, sizeof(int), compare);
	return v[0];
}
