#include <stdlib.h>
int main(void)
{
	char buf[32];
	char *p = buf;
	free(p);
	return 0;
}
