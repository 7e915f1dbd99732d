/* Moves stock between stores; nothing may get lost. */
#include <stdio.h>
#include <stdlib.h>

#define STORES 4

struct stock {
	int in[STORES];
	int total;
};

static void deliver(struct stock *stock, int store, int amount)
{
	stock->in[store] += amount;
	stock->total += amount;
}

static int move(struct stock *stock, int from, int to, int amount)
{
	if (stock->in[from] < amount)
		amount = stock->in[from];
	int before = stock->in[to];
	stock->in[from] -= amount;
	stock->in[to] = before + amount;
	return amount;
}

static void report(const struct stock *stock)
{
	for (int i = 0; i < STORES; i++)
		printf("store %d: %d\n", i, stock->in[i]);
}

int main(int argc, char **argv)
{
	struct stock stock = {{0}, 0};
	for (int i = 1; i + 3 < argc; i += 4) {
		int amount = atoi(argv[i + 1]), a = atoi(argv[i + 2]) % STORES, b = atoi(argv[i + 3]) % STORES;
		if (argv[i][0] == 'd')
			deliver(&stock, a, amount);
		else
			move(&stock, a, b, amount);
	}
	report(&stock);
	return 0;
}
