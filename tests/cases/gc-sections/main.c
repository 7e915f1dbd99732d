/* --gc-sections: a function that nobody calls uses another that nobody defines; the linker drops
 * it. */
#include <stdio.h>

int defined_nowhere(int x);
int never_called(int x);

int never_called(int x)
{
	return defined_nowhere(x) + 1;
}

static int used(int x)
{
	return x + 41;
}

int main(void)
{
	printf("%d\n", used(1));
	return 0;
}
