#include "bank.h"

#include <stdlib.h>
#include <string.h>

struct account *bank_find(struct bank *bank, const char *name)
{
	for (int i = 0; i < bank->count; i++) {
		if (strcmp(bank->accounts[i].name, name) == 0)
			return &bank->accounts[i];
	}
	return NULL;
}

struct account *bank_open(struct bank *bank, const char *name)
{
	if (bank->count == MOST_ACCOUNTS || bank_find(bank, name))
		return NULL;
	struct account *account = &bank->accounts[bank->count];
	if (strlen(name) >= sizeof account->name)
		return NULL;
	strcpy(account->name, name);
	account->balance = 0;
	bank->count++;
	return account;
}

static void remember(struct bank *bank, struct account *from, struct account *to, long amount)
{
	struct entry *entry = malloc(sizeof *entry);
	entry->from = from;
	entry->to = to;
	entry->amount = amount;
	entry->before = bank->last;
	bank->last = entry;
}

void bank_pay(struct bank *bank, struct account *to, long amount)
{
	to->balance += amount;
	remember(bank, NULL, to, amount);
}

int bank_transfer(struct bank *bank, struct account *from, struct account *to, long amount)
{
	if (from->balance < amount)
		return 0;
	from->balance -= amount;
	to->balance += amount;
	remember(bank, from, to, amount);
	return 1;
}

int bank_undo(struct bank *bank)
{
	struct entry *entry = bank->last;
	if (!entry)
		return 0;
	if (entry->from)
		entry->from->balance += entry->amount;
	else
		entry->to->balance -= entry->amount;
	bank->last = entry->before;
	free(entry);
	return 1;
}

long bank_total(const struct bank *bank)
{
	long total = 0;
	for (int i = 0; i < bank->count; i++)
		total += bank->accounts[i].balance;
	return total;
}

void bank_close(struct bank *bank)
{
	while (bank->last) {
		struct entry *entry = bank->last;
		bank->last = entry->before;
		free(entry);
	}
}
