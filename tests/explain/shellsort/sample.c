/* Sorts its arguments by number. */
#include <stdio.h>
#include <stdlib.h>

static int first_gap(int size)
{
	int gap = 1;
	while (gap < size)
		gap = 3 * gap + 1;
	return gap;
}

static void shell_sort(long a[], int size)
{
	int gap = first_gap(size);
	do {
		gap /= 3;
		for (int i = gap; i < size; i++) {
			long v = a[i];
			int j = i;
			while (j >= gap && a[j - gap] > v) {
				a[j] = a[j - gap];
				j -= gap;
			}
			if (j != i)
				a[j] = v;
		}
	} while (gap != 1);
}

int main(int argc, char *argv[])
{
	long *a = malloc((argc - 1) * sizeof(long));
	for (int i = 0; i < argc - 1; i++)
		a[i] = atol(argv[i + 1]);
	shell_sort(a, argc);
	for (int i = 0; i < argc - 1; i++)
		printf("%ld ", a[i]);
	printf("\n");
	free(a);
	return 0;
}
