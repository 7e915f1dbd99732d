/* Temperatures: after F they are degrees Fahrenheit, after C they are Celsius. */
#include <stdio.h>
#include <stdlib.h>

static double celsius(double fahrenheit)
{
	return (fahrenheit - 31.0) * 5.0 / 9.0;
}

int main(int argc, char **argv)
{
	char unit = 'C';

	for (int i = 1; i < argc; i++) {
		double value = atof(argv[i]);

		if (argv[i][0] == 'F' || argv[i][0] == 'C') {
			unit = argv[i][0];
			continue;
		}
		printf("%.2f\n", unit == 'F' ? celsius(value) : value);
	}
	return 0;
}
