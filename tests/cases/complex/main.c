/* _Complex numbers of three sizes: arithmetic, arguments and results, arrays, the maths library. */
#include <complex.h>
#include <stdio.h>

static double complex iterate(double complex z, double complex c, int n)
{
	while (n-- > 0 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4)
		z = z * z + c;
	return z;
}

static int escape(double complex c)
{
	double complex z = 0;
	int n = 0;

	while (n < 60 && cabs(z) < 2) {
		z = z * z + c;
		n++;
	}
	return n;
}

static float complex half(float complex z)
{
	return z / 2;
}

static long double complex swap(long double complex z)
{
	return cimagl(z) + creall(z) * I;
}

static double complex (*const functions[])(double complex) = {csqrt, cexp, conj, csin};

int main(void)
{
	double complex a = 1.5 - 2.5 * I, b = -0.25 + 0.75 * I, v[4],
		       r = iterate(0, -0.4 + 0.6 * I, 12);
	float complex f = 3.0f + 4.0f * I;
	long double complex l = 1.0L / 3 + 2.0L * I;
	unsigned sum = 0;

	v[0] = a + b;
	v[1] = a - b;
	v[2] = a * b;
	v[3] = a / b;
	for (int i = 0; i < 4; i++)
		printf("%.10g %.10g\n", creal(v[i]), cimag(v[i]));
	printf("%.10g %.10g %.10g %.10g\n", creal(r), cimag(r), cabs(a), carg(b));
	printf("%g %g\n", (double)crealf(half(f)), (double)cimagf(half(f)));
	printf("%.15Lg %.15Lg\n", creall(swap(l)), cimagl(swap(l)));
	for (int i = 0; i < 4; i++) {
		r = functions[i](a);
		printf("%.10g %.10g\n", creal(r), cimag(r));
	}
	for (int y = -10; y <= 10; y++)
		for (int x = -20; x <= 10; x++)
			sum = sum * 31 + (unsigned)escape(x * 0.1 + y * 0.12 * I);
	printf("%u %d %d\n", sum, a == b, a != b);
	__real__ a = 7;
	__imag__ a += 1;
	printf("%g %g\n", creal(a), cimag(~a));
	return 0;
}
