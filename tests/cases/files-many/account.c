/* Accounts. */
#include <stdio.h>

#include "account.h"

static struct account accounts[4];
static int count;

struct account *account_open(const char *name, long money)
{
	struct account *a = &accounts[count++];

	a->name = name;
	a->money = money;
	ledger_note("open", (int)money);
	return a;
}

int account_move(struct account *from, struct account *to, long money)
{
	if (from->money < money) {
		ledger_note("refused", (int)money);
		return 0;
	}
	from->money -= money;
	to->money += money;
	ledger_note("move", (int)money);
	return 1;
}

static void apply(struct account *a, void *data)
{
	a->money += a->money * *(int *)data / 100;
}

void account_interest(int percent)
{
	account_each(apply, &percent);
	ledger_note("interest", percent);
}

void account_each(void (*f)(struct account *, void *), void *data)
{
	for (int i = 0; i < count; i++)
		f(&accounts[i], data);
}
