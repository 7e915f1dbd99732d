/*
 * Reads an order, lines of "name quantity cents", and prints the bill. A customer who takes ten or more of one
 * article gets that article a tenth cheaper.
 */
#include <stdio.h>

struct line {
	char name[32];
	int quantity;
	int cents;
};

static int discount = 0; /* per cent */

static int price(const struct line *line)
{
	int sum = line->quantity * line->cents;

	if (line->quantity >= 10)
		discount = 10;
	return sum - sum * discount / 100;
}

int main(void)
{
	struct line line;
	int total = 0;

	while (scanf("%31s %d %d", line.name, &line.quantity, &line.cents) == 3) {
		int amount = price(&line);

		printf("%-10s %6d\n", line.name, amount);
		total += amount;
	}
	printf("%-10s %6d\n", "total", total);
	return 0;
}
