/* What a stay costs: PRICE NIGHTS GUESTS on each line. A bill with breakfast for each guest and night, which is in the price
   of the room from the third night on. */
#include <stdio.h>

int main(void)
{
	long price, nights, guests, sum = 0;

	while (scanf("%ld %ld %ld", &price, &nights, &guests) == 3) {
		long breakfast = 8 * guests * nights, bill = price * nights;

		if (nights > 2) {
			printf("breakfast is free\n");
			bill += breakfast;
		} else {
			printf("breakfast %ld\n", breakfast);
			bill += breakfast;
		}
		printf("bill %ld\n", bill);
		sum += bill;
	}
	printf("sum %ld\n", sum);
	return 0;
}
