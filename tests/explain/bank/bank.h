/* Accounts, and what was done to them. */
#ifndef BANK_H
#define BANK_H

#define MOST_ACCOUNTS 10

struct account {
	char name[12];
	long balance;
};

/* One transfer or payment; `from` is NULL for money from outside. */
struct entry {
	struct account *from, *to;
	long amount;
	struct entry *before;
};

struct bank {
	struct account accounts[MOST_ACCOUNTS];
	int count;
	struct entry *last;
};

/* NULL: there is none of that name. */
struct account *bank_find(struct bank *bank, const char *name);

/* NULL: no room, or the name is taken or too long. */
struct account *bank_open(struct bank *bank, const char *name);

void bank_pay(struct bank *bank, struct account *to, long amount);

/* 0: there is not so much. */
int bank_transfer(struct bank *bank, struct account *from, struct account *to, long amount);

/* 0: nothing to undo. */
int bank_undo(struct bank *bank);

long bank_total(const struct bank *bank);

void bank_close(struct bank *bank);

#endif
