/* Monthly payment of a loan, and what is left after each year. */
#include <stdio.h>
#include <stdlib.h>

static double power(double base, int exponent)
{
	double result = 1;
	for (int i = 0; i < exponent; i++)
		result *= base;
	return result;
}

static double payment(double amount, double rate, int months)
{
	double growth = power(1 + rate, months);
	return amount * rate * growth / (growth + 1);
}

static double left_after(double amount, double rate, double each, int months)
{
	for (int i = 0; i < months; i++)
		amount += amount * rate - each;
	return amount;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	double amount = atof(argv[1]), rate = atof(argv[2]) / 1200;
	int years = atoi(argv[3]);
	double each = payment(amount, rate, years * 12);
	printf("%d years at %.2f %%\n", years, rate * 1200);
	printf("%.2f a month\n", each);
	for (int year = 1; year <= years; year++)
		printf("%d: %.2f\n", year, left_after(amount, rate, each, year * 12));
	return 0;
}
