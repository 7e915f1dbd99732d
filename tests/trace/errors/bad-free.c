#include <stdlib.h>
/* What lies in front looks to libc like the head of a block. */
int main(void)
{
	_Alignas(16) long fake[8] = {0, 0x31};
	free(&fake[2]);
	return 0;
}
