/*
 * Reads transactions from a file, lines of "from to amount", and writes what everybody has to another one.
 * Money moves, but is not made: the sum is always 0.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MOST 20

struct account {
	char name[16];
	int money;
};

static struct account accounts[MOST];
static int count;

static struct account *account_of(const char *name)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(accounts[i].name, name))
			return &accounts[i];
	strcpy(accounts[count].name, name);
	return &accounts[count++];
}

static void move(const char *from, const char *to, int amount)
{
	struct account *giver = account_of(from), *taker = account_of(to);
	int left = giver->money - amount;

	taker->money += amount;
	giver->money = left;
}

int main(int argc, char **argv)
{
	FILE *in = fopen(argc > 1 ? argv[1] : "ledger.txt", "r"), *out;
	char from[16], to[16];
	int amount, sum = 0;

	if (!in)
		return 2;
	while (fscanf(in, "%15s %15s %d", from, to, &amount) == 3)
		move(from, to, amount);
	out = fopen("balance.txt", "w");
	for (int i = 0; i < count; i++) {
		fprintf(out, "%-16s %6d\n", accounts[i].name, accounts[i].money);
		sum += accounts[i].money;
	}
	fclose(out);
	assert(sum == 0);
	return 0;
}
