#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *p = malloc(10);
	memset(p, 0, 10);
	long x = *(long *)(p + 6);
	return x == 77;
}
