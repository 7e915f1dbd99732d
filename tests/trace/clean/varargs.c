#include <stdarg.h>
#include <stdio.h>
static double sum(int n, ...)
{
	va_list ap, again;
	double s = 0;
	va_start(ap, n);
	va_copy(again, ap);
	for (int i = 0; i < n; i++)
		s += va_arg(ap, double);
	for (int i = 0; i < n; i++)
		s += va_arg(again, double);
	va_end(ap);
	va_end(again);
	return s;
}
static void say(const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
}
int main(void)
{
	say("%d %s %g\n", 3, "abc", sum(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.));
	return 0;
}
