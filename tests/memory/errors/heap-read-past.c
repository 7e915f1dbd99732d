// asan: heap-buffer-overflow
// valgrind: Invalid read
#include <stdio.h>
#include <stdlib.h>

static int sum(const int *values, int count)
{
	int total = 0;
	for (int i = 0; i <= count; i++) /*index*/
		total += values[i]; /*error*/
	return total;
}

int main(void)
{
	int *values = malloc(5 * sizeof(*values)); /*allocated*/
	for (int i = 0; i < 5; i++)
		values[i] = i;
	printf("%s\n", sum(values, 5) >= 10 ? "much" : "little");
	free(values);
	return 0;
}
