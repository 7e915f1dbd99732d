/* An invoice: quantity and price of each article in cents, with discount and tax. */
#include <stdio.h>
#include <stdlib.h>

struct item {
	int quantity, price;
};

static long item_total(const struct item *item)
{
	return (long)item->quantity * item->price;
}

static long discount(long sum)
{
	if (sum >= 100000)
		return sum / 10;
	if (sum >= 20000)
		return sum / 20;
	return 0;
}

static long tax(long net)
{
	return (net * 19 + 50) / 100;
}

static long gross(const struct item *items, int count)
{
	long sum = 0;
	for (int i = 0; i < count; i++)
		sum += item_total(&items[i]);
	long net = sum + discount(sum);
	return net + tax(net);
}

int main(int argc, char **argv)
{
	struct item items[16];
	int count = 0;
	for (int i = 1; i + 1 < argc && count < 16; i += 2) {
		items[count].quantity = atoi(argv[i]);
		items[count].price = atoi(argv[i + 1]);
		count++;
	}
	long total = gross(items, count);
	printf("%d articles\n", count);
	printf("total %ld.%02ld\n", total / 100, total % 100);
	return 0;
}
