/* Shared by the files of the program. */
struct account {
	const char *name;
	long money;
};

struct entry {
	const char *what;
	int amount, number;
};

extern struct entry ledger[];
extern int ledger_entries;

struct account *account_open(const char *name, long money);
int account_move(struct account *from, struct account *to, long money);
void account_interest(int percent);
void account_each(void (*f)(struct account *, void *), void *data);
long account_total(void);
void ledger_note(const char *what, int amount);
void ledger_print(void);
