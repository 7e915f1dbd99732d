/* A small bank: accounts, and what happens to them. */
#ifndef LEDGER_H
#define LEDGER_H

#define ACCOUNTS      16
#define OVERDRAFT_FEE 25

struct account {
	char name[12];
	long balance;
	unsigned frozen : 1;
	unsigned overdrawn : 1;
	unsigned fees : 6; /* how many were charged */
};

struct bank {
	struct account accounts[ACCOUNTS];
	int count;
	long cash;   /* what was brought in, less what was taken out */
	long income; /* fees */
};

struct account *bank_find(struct bank *bank, const char *name);
struct account *bank_open(struct bank *bank, const char *name);
void bank_deposit(struct bank *bank, struct account *account, long amount);
int bank_withdraw(struct bank *bank, struct account *account, long amount);
int bank_transfer(struct bank *bank, struct account *from, struct account *to, long amount);

/* Money that is in no account or in two. */
long bank_difference(const struct bank *bank);

void bank_print(const struct bank *bank);

#endif
