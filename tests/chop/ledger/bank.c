#include <string.h>
#include "ledger.h"

struct account *bank_find(struct bank *bank, const char *name)
{
	for (int i = 0; i < bank->count; i++) {
		if (!strcmp(bank->accounts[i].name, name))
			return &bank->accounts[i];
	}
	return NULL;
}

struct account *bank_open(struct bank *bank, const char *name)
{
	if (bank->count == ACCOUNTS || strlen(name) >= sizeof bank->accounts[0].name)
		return NULL;
	struct account *account = &bank->accounts[bank->count++];
	strcpy(account->name, name);
	account->balance = 0;
	account->frozen = 0;
	account->overdrawn = 0;
	account->fees = 0;
	return account;
}

static void charge(struct bank *bank, struct account *account)
{
	account->balance -= OVERDRAFT_FEE;
	account->fees++;
	bank->income += 20;
}

/* An account below zero pays for it, once until the account is in order again. */
static void note_balance(struct bank *bank, struct account *account)
{
	if (account->balance >= 0) {
		account->overdrawn = 0;
		return;
	}
	if (!account->overdrawn)
		charge(bank, account);
	account->overdrawn = 1;
}

void bank_deposit(struct bank *bank, struct account *account, long amount)
{
	bank->cash += amount;
	account->balance += amount;
	note_balance(bank, account);
}

int bank_withdraw(struct bank *bank, struct account *account, long amount)
{
	if (account->frozen)
		return 0;
	bank->cash -= amount;
	account->balance -= amount;
	note_balance(bank, account);
	return 1;
}

int bank_transfer(struct bank *bank, struct account *from, struct account *to, long amount)
{
	if (from->frozen || to->frozen)
		return 0;
	from->balance -= amount;
	to->balance += amount;
	note_balance(bank, from);
	note_balance(bank, to);
	return 1;
}

long bank_difference(const struct bank *bank)
{
	long sum = bank->income;
	for (int i = 0; i < bank->count; i++)
		sum += bank->accounts[i].balance;
	return sum - bank->cash;
}
