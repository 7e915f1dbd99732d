/* K&R C: definitions without prototypes, calls of undeclared functions, mismatched pointer types,
 * implicit int. */
extern int printf();
extern char *getenv();
struct pair {
	int a;
	double b;
};

add(a, b)
{
	return a + b;
}

int narrow(c, s, f)
char c;
short s;
float f;
{
	return c * 100 + s * 10 + (int)f;
}

double total(p, n)
struct pair *p;
int n;
{
	double t = 0;

	while (n-- > 0)
		t += p[n].a + p[n].b;
	return t;
}

static int apply(f, x) int (*f)();
int x;
{
	return (*f)(x, x + 1);
}

static int no_parameters()
{
	return 12;
}

static int wants_long(long x)
{
	return x == 5;
}

int main()
{
	struct pair p[2] = {{1, 0.5}, {2, 0.25}};
	int (*loose)() = (int (*)())narrow;
	register i;

	for (i = 0; i < 3; i++)
		printf("%d %d\n", add(i, 2), apply(add, i));
	printf("%d %d\n", narrow('a', 3, 2.9), loose('b', 4, 7.5));
	printf("%g %d %d\n", total(p, 2), no_parameters(), later(6));
	printf("%d\n", ((int (*)(long))wants_long)(5));
	return getenv("SURELY_NOT_SET_ANYWHERE") ? 1 : 0;
}

later(n)
{
	return n * 7;
}
