/* What is left of a loan: AMOUNT RATE PAYMENT MONTHS. */
#include <stdio.h>
#include <stdlib.h>

struct loan {
	double left, monthly, paid;
};

static void begin(struct loan *loan, double amount, double rate)
{
	loan->left = amount;
	loan->monthly = rate / 10;
	loan->paid = 0;
}

static void pay(struct loan *loan, double payment)
{
	double interest = loan->left * loan->monthly / 100;
	if (payment > loan->left + interest)
		payment = loan->left + interest;
	loan->left += interest - payment;
	loan->paid += payment;
}

int main(int argc, char *argv[])
{
	struct loan loan;
	if (argc != 5)
		return 2;
	begin(&loan, atof(argv[1]), atof(argv[2]));
	for (int month = atoi(argv[4]); month > 0; month--)
		pay(&loan, atof(argv[3]));
	printf("paid %.2f\n", loan.paid);
	printf("left %.2f\n", loan.left);
	return 0;
}
