/* Computed goto: label tables as a tiny machine, label differences, labels passed on in variables.
 */
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, JNZ, DEC, SWAP, HALT };

static long machine(const int *code)
{
	static const void *const labels[] = {&&push, &&add, &&mul,  &&dup,
	                                     &&jnz,  &&dec, &&swap, &&halt};
	long stack[32] = {0}, *sp = stack, t;
	const int *pc = code;

#define NEXT goto *labels[*pc++]
	NEXT;
push:
	*sp++ = *pc++;
	NEXT;
add:
	sp--;
	sp[-1] += sp[0];
	NEXT;
mul:
	sp--;
	sp[-1] *= sp[0];
	NEXT;
dup:
	sp[0] = sp[-1];
	sp++;
	NEXT;
jnz:
	if (sp[-1])
		pc = code + *pc;
	else
		pc++;
	NEXT;
dec:
	sp[-1]--;
	NEXT;
swap:
	t = sp[-1];
	sp[-1] = sp[-2];
	sp[-2] = t;
	NEXT;
halt:
	return sp[-2];
#undef NEXT
}

static int offsets(const char *text)
{
	static const int delta[] = {&&zero - &&zero, &&one - &&zero, &&other - &&zero};
	int ones = 0, zeros = 0, others = 0;

	for (; *text; text++) {
		int kind = *text == '0' ? 0 : *text == '1' ? 1 : 2;

		goto *(&&zero + delta[kind]);
	zero:
		zeros++;
		continue;
	one:
		ones++;
		continue;
	other:
		others++;
	}
	return zeros * 10000 + ones * 100 + others;
}

static int state_machine(const char *p)
{
	void *state = &&start;
	int words = 0, letters = 0;

	for (;;) {
		goto *state;
	start:
		if (!*p)
			goto end;
		if (*p != ' ') {
			words++;
			state = &&inside;
			continue;
		}
		p++;
		continue;
	inside:
		if (!*p || *p == ' ') {
			state = &&start;
			continue;
		}
		letters++;
		p++;
	}
end:
	return words * 1000 + letters;
}

static int one_target(int n)
{
	void *where = n & 1 ? &&odd : &&even;

	goto *where;
odd:
	n = n * 3 + 1;
even:
	return n / 2;
}

int main(void)
{
	/* ((6 squared) + 4) squared, then a loop that adds 7 fifty times. */
	static const int square[] = {PUSH, 6, DUP, MUL, PUSH, 4, ADD, DUP, MUL, PUSH, 0, HALT};
	static const int sum[] = {PUSH, 3, PUSH, 50, SWAP, PUSH, 7, ADD, SWAP, DEC, JNZ, 4, HALT};

	printf("%ld\n", machine(square));
	printf("%ld\n", machine(sum));
	printf("%d\n", offsets("0110 100x111"));
	printf("%d %d\n", state_machine("the quick  brown fox "), state_machine(""));
	printf("%d %d\n", one_target(7), one_target(8));
	return 0;
}
