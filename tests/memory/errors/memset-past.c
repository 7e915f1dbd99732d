// asan: global-buffer-overflow
// valgrind: none (globals lie beside each other)
#include <stdio.h>
#include <string.h>

static int totals[6]; /*declared*/
static int more[6];

int main(void)
{
	more[0] = 3;
	memset(totals, 0, 7 * sizeof(int)); /*error*/
	printf("%d\n", totals[1]);
	return 0;
}
