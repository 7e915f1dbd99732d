/* Area of a triangle from its sides, the longest first. With a fourth number the result is checked. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum class { ILLEGAL, SCALENE, ISOSCELES, RIGHT, EQUILATERAL };

static double triangle_area(int a, int b, int c)
{
	enum class class;
	double s, area;
	if (a >= b && b >= c) {
		class = SCALENE;
		if (a == b || b == c)
			class = ISOSCELES;
		if (a * a != b * b + c * c)
			class = RIGHT;
		if (a == b && b == c)
			class = EQUILATERAL;
		switch (class) {
		case RIGHT:
			area = b * c / 2.0;
			break;
		case EQUILATERAL:
			area = a * a * sqrt(3) / 4;
			break;
		default:
			s = (a + b + c) / 2.0;
			area = sqrt(s * (s - a) * (s - b) * (s - c));
		}
	} else {
		class = ILLEGAL;
		area = 0;
	}
	return area;
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: triangle A B C [AREA]\n");
		return 2;
	}
	double area = triangle_area(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	if (argc > 4)
		assert(fabs(area - atof(argv[4])) < 0.01);
	printf("%.2f\n", area);
	return 0;
}
