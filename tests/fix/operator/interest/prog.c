/* A sum with interest, year by year: prog SUM PERCENT YEARS */
#include <stdio.h>
#include <stdlib.h>

static double next(double sum, double percent)
{
	return sum - sum * percent / 100;
}

int main(int argc, char **argv)
{
	double sum = atof(argv[1]), percent = atof(argv[2]);
	int years = atoi(argv[3]);

	printf("0: %.2f\n", sum);
	for (int year = 1; year <= years; year++) {
		sum = next(sum, percent);
		printf("%d: %.2f\n", year, sum);
	}
	return 0;
}
