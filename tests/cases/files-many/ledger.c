/* The ledger, and a sum over all accounts. */
#include <stdio.h>

#include "account.h"

struct entry ledger[32];
int ledger_entries;
static int count;

void ledger_note(const char *what, int amount)
{
	ledger[ledger_entries++] = (struct entry){what, amount, ++count};
}

void ledger_print(void)
{
	for (const struct entry *e = ledger; e < ledger + ledger_entries; e++)
		printf("%d:%s:%d ", e->number, e->what, e->amount);
	printf("\n");
}

static void apply(struct account *a, void *data)
{
	*(long *)data += a->money;
}

long account_total(void)
{
	long sum = 0;

	account_each(apply, &sum);
	return sum;
}
