/* asm goto: branches out of assembly, with and without outputs; a file-level asm function. */
#include <stdio.h>

__asm__(".text\n"
        ".globl triple\n"
        ".type triple, @function\n"
        "triple:\n"
        "	leal (%rdi,%rdi,2), %eax\n"
        "	ret\n"
        ".size triple, .-triple\n");

int triple(int x);

static int is_zero(int x)
{
	__asm__ goto("testl %0, %0\n\tjz %l[zero]" : : "r"(x) : "cc" : zero);
	return 0;
zero:
	return 1;
}

static int sign(long x)
{
	__asm__ goto("testq %0, %0\n\tjs %l1\n\tjz %l2" : : "r"(x) : "cc" : negative, none);
	return 1;
negative:
	return -1;
none:
	return 0;
}

static int checked_add(int a, int b, int *sum)
{
	int r = a;

	__asm__ goto("addl %1, %0\n\tjo %l[overflow]" : "+r"(r) : "r"(b) : "cc" : overflow);
	*sum = r;
	return 1;
overflow:
	return 0;
}

int main(void)
{
	int sum = 0, ok = 0;

	for (int i = -3; i <= 3; i++)
		printf("%d/%d ", is_zero(i), sign(i * 10000000000L));
	printf("\n");
	for (int i = 0; i < 40; i++) {
		ok += checked_add(sum, 100000000, &sum);
		ok += checked_add(sum, i, &sum) * 100;
	}
	printf("%d %d %d\n", ok, sum, triple(14));
	return 0;
}
