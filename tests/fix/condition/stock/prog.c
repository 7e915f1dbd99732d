/* Orders from a stock: those that cannot be filled are left. Lines: NAME COUNT for stock, -NAME COUNT for an order. */
#include <stdio.h>
#include <string.h>

struct item {
	char name[16];
	int count, reserved;
};

static struct item stock[8];
static int items;

static struct item *find(const char *name)
{
	for (int i = 0; i < items; i++)
		if (!strcmp(stock[i].name, name))
			return &stock[i];
	return NULL;
}

static void order(const char *name, int count)
{
	struct item *item = find(name);

	if (item && count > 0) { /* and there must be enough that is not reserved */
		item->count -= count;
		item->reserved += 1;
		printf("%d %s\n", count, name);
	}
}

int main(void)
{
	char name[16];
	int count;

	while (scanf("%15s %d", name, &count) == 2) {
		if (name[0] == '-') {
			order(name + 1, count);
		} else if (items < 8) {
			strcpy(stock[items].name, name);
			stock[items++].count = count;
		}
	}
	for (int i = 0; i < items; i++)
		printf("%s: %d left, %d orders\n", stock[i].name, stock[i].count, stock[i].reserved);
	return 0;
}
