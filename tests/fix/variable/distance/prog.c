/* The distance of two points, squared and as it is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double squared(double x, double y, double u, double v)
{
	double across = u - x, up = v - y;

	return across * across + up * across;
}

int main(int argc, char **argv)
{
	double sum = squared(atof(argv[1]), atof(argv[2]), atof(argv[3]), atof(argv[4]));

	printf("%.3f %.3f\n", sum, sqrt(sum));
	return 0;
}
