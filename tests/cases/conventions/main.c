/* Unusual functions: naked ones, foreign calling conventions,
 * noinline, flatten. */
#include <stdarg.h>
#include <stdio.h>

__attribute__((naked)) static int naked_add(int a __attribute__((unused)),
                                            int b __attribute__((unused)))
{
	__asm__("leal (%rdi,%rsi), %eax\n\tret");
}

__attribute__((ms_abi)) static long windows(int a, double b, long c, short d, int e, float f)
{
	return a + (long)(b * 10) + c * 100 + d * 1000 + e * 10000 + (long)f;
}

__attribute__((ms_abi)) static int windows_sum(int n, ...)
{
	__builtin_ms_va_list ap;
	int sum = 0;

	__builtin_ms_va_start(ap, n);
	while (n-- > 0)
		sum = sum * 3 + va_arg(ap, int);
	__builtin_ms_va_end(ap);
	return sum;
}

__attribute__((preserve_most)) static void preserving(int *p)
{
	*p = *p * 2 + 1;
}

__attribute__((const, noinline)) static int pure(int x)
{
	return x * x;
}

__attribute__((flatten)) static int flat(int x)
{
	return pure(x) + pure(x + 1);
}

__attribute__((noreturn)) static void stop(int (*f)(int));

int main(void)
{
	long (*__attribute__((ms_abi)) table[])(int, double, long, short, int, float) = {windows};
	int n = 1;

	printf("%d\n", naked_add(40, 2));
	printf("%ld %ld\n", windows(1, 2.5, 3, 4, 5, 6.5f), table[0](6, 5.5, 4, 3, 2, 1));
	printf("%d\n", windows_sum(5, 1, 2, 3, 4, 5));
	for (int i = 0; i < 6; i++)
		preserving(&n);
	printf("%d %d\n", n, flat(5));
	stop(flat);
}

#include <stdlib.h>

static void stop(int (*f)(int))
{
	exit(f(1));
}
