#include <stdio.h>

static int add(const int *numbers, int count)
{
	int sum;

	for (int i = 0; i < count; i++)
		sum += numbers[i];
	return sum;
}

int main(void)
{
	int numbers[2] = {1, 2}, total;

	total = add(numbers, 2);
	printf("%d\n", total);
	if (total)
		return 1;
	return 0;
}
