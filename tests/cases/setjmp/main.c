/* setjmp and longjmp: nested, out of recursion, out of qsort, in a loop, with volatile locals,
 * sigsetjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner, *current;
static int compared;

static int dive(int n)
{
	if (n == 0)
		longjmp(outer, 42);
	return dive(n - 1) * 2 + 1;
}

static void deep_recursion(void)
{
	volatile int before = 5;
	int r = setjmp(outer);

	if (r == 0) {
		before = 6;
		dive(300);
	}
	printf("deep %d %d\n", r, before);
}

static void in_loop(void)
{
	volatile int i = 0, caught = 0;

	while (i < 10) {
		if (setjmp(outer)) {
			caught += i;
			i++;
			continue;
		}
		if (i % 2)
			longjmp(outer, 1);
		i++;
	}
	printf("loop %d %d\n", i, caught);
}

static void thrower(int what)
{
	if (what % 3 == 0)
		longjmp(inner, what + 1);
	if (what % 3 == 1)
		longjmp(outer, what + 1);
}

static int middle(int what)
{
	switch (setjmp(inner)) {
	case 0: thrower(what); return 0;
	case 1: return 100;
	case 4: return 400;
	default: longjmp(outer, 77);
	}
}

static void nested(void)
{
	volatile int what;
	int r;

	for (what = 0; what < 8; what++) {
		r = setjmp(outer);
		if (r == 0)
			printf("%d ", middle(what));
		else
			printf("[%d] ", r);
	}
	printf("\n");
}

static int by_value(const void *a, const void *b)
{
	if (++compared == 20)
		longjmp(inner, -1);
	return *(const int *)a - *(const int *)b;
}

static void out_of_qsort(void)
{
	int v[32];
	int r;

	for (int i = 0; i < 32; i++)
		v[i] = 31 - i;
	r = setjmp(inner);
	if (r == 0)
		qsort(v, 32, sizeof(int), by_value);
	printf("qsort %d %d\n", r, compared);
	qsort(v, 32, sizeof(int), by_value);
	printf("sorted %d %d\n", v[0], v[31]);
}

/* Exceptions as a library would make them: a chain of handlers. */
static void raise_error(int code)
{
	longjmp(*current, code);
}

static int guarded(int level)
{
	jmp_buf here, *saved = current;
	volatile int steps = 0;
	int r;

	current = &here;
	r = setjmp(here);
	if (r == 0) {
		steps++;
		if (level > 0)
			steps += guarded(level - 1);
		if (level % 2)
			raise_error(level + 10);
	} else {
		steps += r * 100;
	}
	current = saved;
	return steps;
}

static void zero_becomes_one(void)
{
	int r = _setjmp(outer);

	if (r == 0)
		_longjmp(outer, 0);
	printf("zero %d\n", r);
}

static void with_mask(void)
{
	sigjmp_buf saved;
	sigset_t set, now;
	int r;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	r = sigsetjmp(saved, 1);
	if (r == 0) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		siglongjmp(saved, 3);
	}
	sigprocmask(SIG_BLOCK, NULL, &now);
	printf("mask %d %d\n", r, sigismember(&now, SIGUSR1));
}

int main(void)
{
	deep_recursion();
	in_loop();
	nested();
	out_of_qsort();
	printf("guarded %d\n", guarded(5));
	zero_becomes_one();
	with_mask();
	return 0;
}
