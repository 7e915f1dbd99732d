// asan: global-buffer-overflow
// valgrind: none (globals lie beside each other)
#include <stdio.h>

static int stock[5]; /*declared*/
static int prices[5];

static void sell(int article)
{
	stock[article] -= 1; /*error*/
}

int main(void)
{
	prices[0] = 1;
	sell(2);
	sell(5); /*index*/
	printf("%d\n", prices[0] > 0);
	return 0;
}
