/* One program of several files: shared globals, static names that repeat, tentative and extern
 * arrays. */
#include <stdio.h>

#include "account.h"

static int count = 1;

static void show(const char *what)
{
	printf("%s %d %ld\n", what, count++, account_total());
}

int main(void)
{
	struct account *a = account_open("alice", 50), *b = account_open("bob", 10);

	show("opened");
	printf("%d ", account_move(a, b, 30));
	printf("%d\n", account_move(b, a, 500));
	show("moved");
	for (int i = 0; i < 5; i++)
		account_interest(3 + i);
	show("interest");
	printf("%s %ld %s %ld\n", a->name, a->money, b->name, b->money);
	ledger_print();
	printf("%d %d\n", ledger_entries, ledger[2].amount);
	return 0;
}
