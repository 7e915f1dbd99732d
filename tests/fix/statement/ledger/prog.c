/* Payments in and out of an account (out costs 1): the balance, and how many there were. */
#include <stdio.h>
#include <stdlib.h>

struct account {
	long balance;
	int moves;
};

static void book(struct account *a, long amount)
{
	if (amount >= 0) {
		a->balance += amount;
		a->moves++;
	} else {
		a->balance += amount - 1;
	}
	printf("%ld\n", a->balance);
}

int main(int argc, char **argv)
{
	struct account a = {0, 0};

	for (int i = 1; i < argc; i++)
		book(&a, atol(argv[i]));
	printf("%ld after %d\n", a.balance, a.moves);
	return 0;
}
