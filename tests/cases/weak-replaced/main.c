/* A weak function that another file defines again: the linker takes the one that is not weak, whichever
   file comes first; of two weak ones the first. */
#include <stdio.h>

int first(int x)
{
	int y = x + 1;

	return y;
}

__attribute__((weak)) int second(int x)
{
	while (x < 100)
		x += 7;
	return x;
}

__attribute__((weak)) int both(int x)
{
	return x > 2 ? 30 : 40;
}

int from_other(int x);

int main(void)
{
	int (*volatile through)(int) = first;

	for (int i = 0; i < 4; i++)
		printf("%d %d %d %d %d\n", first(i), second(i), both(i), from_other(i), through(i));
	return 0;
}
