/* float and double: arithmetic, conversions, special values, comparisons, the maths library,
 * printing. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static void compare(double a, double b)
{
	printf("%d%d%d%d%d%d%d ", a<b, a <= b, a == b, a != b, a >= b, a> b, !!isunordered(a, b));
}

static void specials(void)
{
	volatile double zero = 0, one = 1;
	double inf = one / zero, nan = NAN,
	       values[] = {0.0, -0.0, inf, -inf, nan, DBL_MIN / 4, 1.0, -1.5};

	for (int i = 0; i < 8; i++) {
		printf("%g %d %d %d %d\n", fabs(values[i]), !!isnan(values[i]), !!isinf(values[i]),
		       !!signbit(values[i] == values[i] ? values[i] : 0), !!isnormal(values[i]));
		for (int j = 0; j < 8; j++)
			compare(values[i], values[j]);
		printf("\n");
	}
}

static void conversions(void)
{
	static const double v[] = {0.0,      0.5,          -0.5,          1.999, -1.999, 255.7,
	                           65535.25, 2147483647.0, -2147483648.0, 1e15,  -1e15};

	for (int i = 0; i < 11; i++) {
		long long l = (long long)v[i];
		float f = (float)v[i];

		printf("%lld %a %a %a %a\n", l, (double)f, (double)(float)l,
		       (double)(unsigned)(l & 0xffffffff),
		       (double)(unsigned long long)(l & 0xffffffffffff));
		if (v[i] >= -128 && v[i] < 128)
			printf("  %d %d", (signed char)v[i], (short)f);
		if (v[i] >= 0)
			printf(" %u %llu", v[i] < 4e9 ? (unsigned)v[i] : 0,
			       (unsigned long long)v[i]);
		printf("\n");
	}
	printf("%a %a\n", (double)UINT64_MAX, (double)(float)INT64_MAX);
}

static void maths(void)
{
	double x = 0.1, whole;
	int e;

	for (int i = 0; i < 6; i++, x = x * 2.3 + 0.17) {
		printf("%.12g %.12g %.12g %.12g %.12g\n", sin(x), cos(x), exp(x), log(x), sqrt(x));
		printf("%.12g %.12g %.12g %g %g\n", pow(x, 1.5), atan2(x, 2), tanh(x), floor(x),
		       ceil(-x));
		printf("%.12g %.12g %g\n", fmod(x, 0.3), modf(x, &whole), round(x * 2));
		printf("%.12g %d\n", frexp(x, &e), ilogb(x));
		printf("%g %.12g %.12g %.12g\n", ldexp(x, 3), fma(x, x, 1), hypot(x, 1), cbrt(x));
		printf("%.7g %.7g\n", (double)sinf((float)x), (double)powf((float)x, 2.5f));
	}
	printf("%ld %lld %g %g\n", lrint(2.5), llround(-2.5), nextafter(1, 2) - 1,
	       copysign(3, -0.0));
}

static float sum_float(int n)
{
	float s = 0;

	for (int i = 1; i <= n; i++)
		s += 1.0f / (float)i;
	return s;
}

static double newton(double a)
{
	double x = a;

	for (int i = 0; i < 30; i++)
		x = (x + a / x) / 2;
	return x;
}

int main(void)
{
	specials();
	conversions();
	maths();
	printf("%a %.9g %.17g\n", (double)sum_float(100), (double)sum_float(1000), newton(2));
	printf("%e %E %f %.0f %g %10.3f|%-10.2e|%+g % g %#g %a\n", 12345.678, 1e-10, 2.5, 2.5, 1e20,
	       3.14159, 0.00123, 1.0, 1.0, 1.0, 0.1);
	printf("%d %g %g\n", FLT_EVAL_METHOD, (double)FLT_MAX, DBL_EPSILON);
	return 0;
}
