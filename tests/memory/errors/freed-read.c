// asan: heap-use-after-free
// valgrind: Invalid read
#include <stdio.h>
#include <stdlib.h>

struct account {
	long number, amount;
};

static void close_account(struct account *account)
{
	free(account); /*freed*/
}

int main(void)
{
	struct account *account = malloc(sizeof(*account)); /*allocated*/
	account->number = 12;
	account->amount = 100;
	close_account(account);
	long last = account->amount; /*error*/
	puts(last > 1000 ? "rich" : "poor");
	return 0;
}
