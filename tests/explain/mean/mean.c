/* Mean and spread of numbers. */
#include <stdio.h>
#include <stdlib.h>

static double data[32];

static double total(int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += data[i];
	return sum;
}

static double mean_of(int count)
{
	int mean = total(count) / count;
	return mean;
}

static double spread_of(int count, double mean)
{
	double sum = 0;
	for (int i = 0; i < count; i++) {
		double off = data[i] - mean;
		sum += off * off;
	}
	return sum / count;
}

int main(int argc, char *argv[])
{
	int count = argc - 1;
	for (int i = 0; i < count; i++)
		data[i] = atof(argv[i + 1]);
	double mean = mean_of(count);
	double spread = spread_of(count, mean);
	printf("spread %.2f\n", spread);
	return 0;
}
