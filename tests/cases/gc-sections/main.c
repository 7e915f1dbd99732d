/* Functions in sections of their own, and a linker that drops unused ones: nothing may be missing
   afterwards. (hence's tables keep unused functions: docs/limits.md.) */
#include <stdio.h>

int never_called(int x);

int never_called(int x)
{
	return x + 1;
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
