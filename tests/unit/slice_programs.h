/* Small programs that have most of what values can go through. */
#ifndef HENCE_TESTS_UNIT_SLICE_PROGRAMS_H
#define HENCE_TESTS_UNIT_SLICE_PROGRAMS_H

static const char *const slice_programs[] = {
	/* structures: by value, as results, nested, copied in parts */
	"#include <stdio.h>\n#include <string.h>\n"
	"struct in { int a; char c[5]; }; struct s { long x; struct in i; int y[3]; };\n"
	"static struct s make(int n)\n{\n	struct s s = {n, {n + 1, \"abc\"}, {1, 2, n}};\n"
	"	s.y[n & 1] += n;\n	return s;\n}\n"
	"static int take(struct s s, int k)\n{\n	s.y[k] += 5;\n"
	"	return k ? take(s, k - 1) + s.i.a : s.y[0] + s.y[1] + s.i.c[1];\n}\n"
	"static struct in half(struct s s)\n{\n	return s.i;\n}\n"
	"int main(int argc, char **argv)\n{\n	struct s a, b[3];\n	struct in h;\n"
	"	int sum = 0;\n	for (int i = 0; i < 3; i++) {\n		b[i] = make(i + argc);\n"
	"		a = b[i];\n		h = half(a);\n"
	"		memcpy(&b[(i + 1) % 3].i, &h, sizeof(h));\n"
	"		sum += take(b[i], 2) + h.c[2];\n	}\n"
	"	printf(\"%d %ld\\n\", sum, b[1].x);\n	return sum & 1;\n}\n",
	/* unions, bit-fields, chars of ints */
	"#include <stdio.h>\n"
	"union u { unsigned w; unsigned char c[4]; unsigned short h[2]; };\n"
	"struct f { unsigned a : 3, b : 7, c : 12; signed d : 5; };\n"
	"int main(void)\n{\n	union u u = {0};\n	struct f f = {1, 2, 3, -4}, g;\n"
	"	unsigned t = 0;\n	for (int i = 0; i < 12; i++) {\n		u.c[i & 3] "
	"+= i;\n"
	"		if (u.h[1] & 4)\n			u.h[0] ^= 0x11;\n"
	"		f.b = f.b * 3 + i;\n		f.d = -f.a;\n		g = f;\n"
	"		g.c += u.c[2];\n		t += g.c + (i % 3 ? u.w : f.b);\n	}\n"
	"	printf(\"%u\\n\", t);\n	return 0;\n}\n",
	/* recursion, function pointers, conditional operators, switch, goto */
	"#include <stdio.h>\n"
	"static int calls;\nstatic int add(int a, int b) { calls++; return a + b; }\n"
	"static int sub(int a, int b) { return a - b; }\n"
	"static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
	"static int even(int n);\nstatic int odd(int n) { return n && even(n - 1); }\n"
	"static int even(int n) { return !n || odd(n - 1); }\n"
	"int main(void)\n{\n	int (*op[2])(int, int) = {add, sub}, r = 0, i = 0;\n"
	"again:\n	switch (i % 4) {\n	case 0: r = op[i & 1](r, fib(i)); break;\n"
	"	case 1: r += even(i) ? 3 : odd(i + 1) || r > 5;\n"
	"	case 2: r = op[r & 1](i, r); break;\n	default: r ^= calls;\n	}\n"
	"	if (++i < 9)\n		goto again;\n	printf(\"%d\\n\", r);\n	return 0;\n}\n",
	/* setjmp, longjmp through functions and callbacks */
	"#include <stdio.h>\n#include <stdlib.h>\n#include <setjmp.h>\n"
	"static jmp_buf out;\nstatic int n;\n"
	"static void deep(int k) { if (k == 0) longjmp(out, n + 2); deep(k - 1); n++; }\n"
	"static int order(const void *a, const void *b)\n{\n	if (++n > 9) longjmp(out, 50);\n"
	"	return *(int *)a - *(int *)b;\n}\n"
	"int main(void)\n{\n	volatile int v[] = {5, 3, 9, 1, 7, 4}, times = 0;\n"
	"	int got = setjmp(out);\n	times += got;\n	if (times < 20)\n"
	"		deep(times + 1);\n	else if (times < 60)\n"
	"		qsort((void *)v, 6, sizeof(int), order);\n"
	"	printf(\"%d %d %d\\n\", times, n, v[2]);\n	return 0;\n}\n",
	/* callbacks: qsort and bsearch, with pointers into structures */
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"struct p { int key; char name[8]; };\nstatic int compared, sign = 1;\n"
	"static int order(const void *a, const void *b)\n{\n"
	"	const struct p *x = a, *y = b;\n	compared++;\n"
	"	return sign * (x->key - y->key);\n}\n"
	"static int key(const void *k, const void *e)\n{\n"
	"	return *(const int *)k - ((const struct p *)e)->key;\n}\n"
	"int main(void)\n{\n	struct p t[7], *f;\n	int k = 0;\n"
	"	for (int i = 0; i < 7; i++) {\n		t[i].key = i * 5 % 7;\n"
	"		sprintf(t[i].name, \"n%d\", i);\n	}\n"
	"	qsort(t, 7, sizeof(*t), order);\n	for (int i = 0; i < 7; i += 3) {\n"
	"		f = bsearch(&i, t, 7, sizeof(*t), key);\n		k += f ? "
	"f->name[1] : 1;\n"
	"	}\n	sign = -1;\n	qsort(t, 7, sizeof(*t), order);\n"
	"	printf(\"%d %s %d\\n\", k, t[2].name, compared);\n	return 0;\n}\n",
	/* variable arguments */
	"#include <stdarg.h>\n#include <stdio.h>\n"
	"struct d { double x; int n; }; struct big { long a[5]; };\n"
	"static long vsum(int n, va_list ap)\n{\n	long s = 0;\n	va_list again;\n"
	"	va_copy(again, ap);\n	while (n--)\n		s += va_arg(ap, int);\n"
	"	s += va_arg(again, int);\n	va_end(again);\n	return s;\n}\n"
	"static long sum(int n, ...)\n{\n	va_list ap;\n	long s;\n	va_start(ap, n);\n"
	"	s = vsum(n, ap);\n	va_end(ap);\n	return s;\n}\n"
	"static double mix(const char *how, ...)\n{\n	double t = 0;\n	va_list ap;\n"
	"	va_start(ap, how);\n	for (; *how; how++)\n		switch (*how) {\n"
	"		case 'i': t += va_arg(ap, int); break;\n"
	"		case 'f': t += va_arg(ap, double); break;\n"
	"		case 's': t += *va_arg(ap, char *); break;\n"
	"		case 'd': t += va_arg(ap, struct d).n; break;\n"
	"		case 'b': t += va_arg(ap, struct big).a[2]; break;\n		}\n"
	"	va_end(ap);\n	return t;\n}\n"
	"int main(int argc, char **argv)\n{\n	struct d d = {1.5, argc};\n"
	"	struct big b = {{1, 2, argc + 3}};\n	char text[16];\n"
	"	long r = sum(3, argc, 7, argc + 5) + sum(9, 1, 2, 3, 4, 5, 6, argc, 8, 9);\n"
	"	double t = mix(\"ifsdb\", argc, 2.5, \"q\", d, b);\n"
	"	snprintf(text, sizeof(text), \"%ld:%g\", r, t);\n"
	"	printf(\"%s %d\\n\", text, text[1]);\n	return 0;\n}\n",
	/* strings and the heap */
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"struct n { struct n *next; char *text; };\n"
	"static struct n *add(struct n *l, const char *t)\n{\n"
	"	struct n *n = malloc(sizeof(*n));\n	n->next = l;\n	n->text = strdup(t);\n"
	"	return n;\n}\n"
	"int main(int argc, char **argv)\n{\n	struct n *l = NULL, *k;\n"
	"	char line[32], *w, *b = NULL;\n	size_t used = 0, room = 0;\n"
	"	strcpy(line, \"one two three \");\n	strcat(line, argv[1]);\n"
	"	for (w = strtok(line, \" \"); w; w = strtok(NULL, \" \"))\n		l = add(l, "
	"w);\n"
	"	for (k = l; k; k = k->next) {\n		size_t n = strlen(k->text);\n"
	"		if (used + n + 1 > room)\n			b = realloc(b, room = used "
	"+ n + 9);\n"
	"		memcpy(b + used, k->text, n + 1);\n		used += n;\n"
	"		memmove(b + 1, b, used);\n		b[0] = k->text[n / 2];\n	}\n"
	"	while (l) {\n		k = l->next;\n		free(l->text);\n		"
	"free(l);\n"
	"		l = k;\n	}\n	printf(\"%s %d\\n\", b, strcmp(b, argv[1]) > 0);\n"
	"	free(b);\n	return 0;\n}\n",
	/* arrays of variable length, alloca, loops over them */
	"#include <alloca.h>\n#include <stdio.h>\n#include <string.h>\n"
	"static int work(int n, int m)\n{\n	int a[n], *b = alloca(m * sizeof(int)), t = 0;\n"
	"	memset(b, 0, m * sizeof(int));\n	for (int i = 0; i < n; i++)\n"
	"		a[i] = i * m;\n	for (int i = 0; i < n; i++) {\n		int c[1 + i % 3];\n"
	"		c[0] = a[n - 1 - i];\n		c[i % 3] += i;\n		b[i % m] "
	"+= c[0];\n"
	"	}\n	for (int i = 0; i < m; i++)\n		t += b[i] * (i + 1);\n"
	"	return t;\n}\n"
	"int main(int argc, char **argv)\n{\n	int s = 0;\n"
	"	for (int i = 1; i < 4; i++)\n		s += work(3 * i + argc, i);\n"
	"	printf(\"%d\\n\", s);\n	return 0;\n}\n",
	/* signals: raised while a function waits, and their effect on it */
	"#include <signal.h>\n#include <stdio.h>\n"
	"static volatile sig_atomic_t seen, last;\n"
	"static void on(int s) { seen += 2; last = s; }\n"
	"int main(void)\n{\n	int r = 0;\n	signal(SIGUSR1, on);\n"
	"	for (int i = 0; i < 4; i++) {\n		if (i & 1)\n			"
	"raise(SIGUSR1);\n"
	"		r += seen * i;\n	}\n	printf(\"%d %d\\n\", r, last == SIGUSR1);\n"
	"	return 0;\n}\n",
	/* wide values: long double, int128, complex, vectors, atomics */
	"#include <complex.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
	"typedef int v4 __attribute__((vector_size(16)));\n"
	"static __int128 square(__int128 x) { return x * x + 1; }\n"
	"static double complex turn(double complex z, double f) { return z * (f + I); }\n"
	"static long double half(long double x) { return x / 2; }\n"
	"int main(int argc, char **argv)\n{\n	__int128 x = argc;\n"
	"	double complex z = 1 + argc * I;\n	long double l = argc + 5;\n	v4 v = {1, "
	"2, 3, 4};\n"
	"	atomic_int a = 3;\n	for (int i = 0; i < 4; i++) {\n		x = square(x) % "
	"1000;\n"
	"		z = turn(z, i);\n		l = half(l) + i;\n		v = v * "
	"(v4){i, 1, 2, 3};\n"
	"		v[i] += v[3 - i];\n		atomic_fetch_add(&a, v[1]);\n	}\n"
	"	printf(\"%d %g %Lg %d %d\\n\", (int)x, creal(z), l, v[2], atomic_load(&a));\n"
	"	return 0;\n}\n",
};

/* Of tests/cases: those that are one file and need nothing else. */
static const char *const slice_cases[] = {
	"atomics",     "bitfields",  "branches",      "builtins",     "computed-goto",
	"conventions", "heap",       "int128",        "locals",       "loops",
	"modern-c",    "overlap",    "recursion",     "setjmp",       "signals",
	"strings",     "switches",   "tables",        "unions",       "varargs",
	"vectors",     "vla-alloca", "qsort-bsearch", "signals-jump", "inline-asm",
};

#define SLICE_CASES (sizeof(slice_cases) / sizeof(*slice_cases))

/* The program of a case. Caller frees with free(). */
static inline char *slice_case(const char *name)
{
	char *path = str_format("%s/tests/cases/%s/main.c", getenv("SRC"), name);
	struct str text = STR_INIT;
	int fd = open(path, O_RDONLY);
	char bytes[4096];
	ssize_t n;

	assert_true(fd >= 0);
	str_add(&text, "#define _GNU_SOURCE\n");
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		str_add_bytes(&text, bytes, (size_t)n);
	close(fd);
	free(path);
	return str_steal(&text);
}

#define SLICE_PROGRAMS (sizeof(slice_programs) / sizeof(*slice_programs))

#endif
