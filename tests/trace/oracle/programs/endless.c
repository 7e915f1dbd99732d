/* Loops that nothing in their function leaves: the program ends in a call, and the compiler does not see it. */
#include <stdio.h>
#include <stdlib.h>

static int left = 40;
static long sum;

/* Ends the program when all is done; looks as if it always returned. */
static void tick(int by)
{
	left -= by;
	if (left <= 0) {
		printf("%ld\n", sum);
		exit(0);
	}
}

/* Several ways back to the beginning, and branches that meet again in between. */
static void serve(int kind)
{
	for (;;) {
		if (left % 7 == 0) {
			tick(2);
			continue;
		}
		if (left & 1)
			sum += left;
		else
			sum *= kind;
		do {
			sum++;
			if (sum % 5 == 3)
				goto again;
		} while (sum % 3);
		tick(1);
	again:
		tick(1);
	}
}

/* Tests in front of such a loop, and a way around it. */
static int start(int n)
{
	if (n < 2)
		return n;
	while (n > 4)
		n -= 3;
	if (n == 3)
		sum = 100;
	if (n > 2) {
		do {
			serve(n);
		} while (1);
	}
	for (;;)
		tick(n);
}

int main(void)
{
	for (int i = 0;; i++)
		sum += start(i > 2 ? 9 + i : i % 2);
}
