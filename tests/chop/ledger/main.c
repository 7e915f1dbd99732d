/*
 * Reads lines like 'deposit ann 100', 'withdraw ann 20', 'transfer ann bob 5', 'freeze ann', and
 * checks in the end that no money was lost.
 */
#include <stdio.h>
#include <string.h>
#include "ledger.h"

static struct bank bank;

static struct account *account_of(const char *name)
{
	struct account *account = bank_find(&bank, name);
	return account ? account : bank_open(&bank, name);
}

static void obey(const char *line)
{
	char verb[12], first[12], second[12];
	long amount;
	if (sscanf(line, "transfer %11s %11s %ld", first, second, &amount) == 3) {
		struct account *from = account_of(first), *to = account_of(second);
		if (from && to && !bank_transfer(&bank, from, to, amount))
			printf("refused: %s", line);
	} else if (sscanf(line, "%11s %11s %ld", verb, first, &amount) == 3) {
		struct account *account = account_of(first);
		if (account && !strcmp(verb, "deposit"))
			bank_deposit(&bank, account, amount);
		else if (account && !strcmp(verb, "withdraw") &&
		         !bank_withdraw(&bank, account, amount))
			printf("refused: %s", line);
	} else if (sscanf(line, "freeze %11s", first) == 1) {
		struct account *account = bank_find(&bank, first);
		if (account)
			account->frozen = 1;
	}
}

int main(void)
{
	char line[80];
	while (fgets(line, sizeof line, stdin))
		obey(line);
	bank_print(&bank);
	long difference = bank_difference(&bank);
	if (difference) {
		fprintf(stderr, "the books are wrong by %ld\n", difference);
		return 3;
	}
	return 0;
}
