/* Reads temperatures and prints how many there are, the coldest and the warmest. */
#include <stdio.h>

#include "summary.h"

int main(void)
{
	struct summary summary = {0};
	int degrees;

	while (scanf("%d", &degrees) == 1)
		summary_add(&summary, degrees);
	printf("days: %d\n", summary.count);
	printf("coldest: %d\n", summary.coldest);
	printf("warmest: %d\n", summary.warmest);
	return 0;
}
