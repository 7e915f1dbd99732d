/* Invoices: prog CENTS ... */
#include <stdio.h>
#include <stdlib.h>

#define TAX     0.019
#define FREIGHT 495

static double tax(double net)
{
	return net * TAX;
}

int main(int argc, char **argv)
{
	double sum = argc > 1 ? FREIGHT : 0;

	for (int i = 1; i < argc; i++) {
		double net = atof(argv[i]), due = net * TAX;

		printf("%8.2f %8.2f\n", net / 100, tax(net) / 100);
		sum += net + due;
	}
	if (argc > 1)
		sum += tax(FREIGHT);
	printf("%8.2f\n", sum / 100);
	return 0;
}
