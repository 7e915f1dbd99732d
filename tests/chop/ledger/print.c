/* The accounts, richest first. */
#include <stdio.h>
#include <stdlib.h>
#include "ledger.h"

static int compare(const void *a, const void *b)
{
	const struct account *const *x = a, *const *y = b;
	if ((*x)->balance != (*y)->balance)
		return (*x)->balance < (*y)->balance ? 1 : -1;
	return *x < *y ? -1 : 1;
}

void bank_print(const struct bank *bank)
{
	const struct account *order[ACCOUNTS];
	for (int i = 0; i < bank->count; i++)
		order[i] = &bank->accounts[i];
	qsort(order, bank->count, sizeof *order, compare);
	for (int i = 0; i < bank->count; i++) {
		printf("%-12s %8ld%s", order[i]->name, order[i]->balance,
		       order[i]->frozen ? " frozen" : "");
		if (order[i]->fees)
			printf(" (%d fees)", order[i]->fees);
		putchar('\n');
	}
}
