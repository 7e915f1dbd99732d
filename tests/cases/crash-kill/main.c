/* Kills itself with SIGKILL in the middle of its work; nothing can be tidied up. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
	write(1, "never\n", 6);
}

static int work(int n)
{
	if (n == 37)
		kill(getpid(), SIGKILL);
	return n * n % 10;
}

int main(void)
{
	int sum = 0;

	atexit(never);
	for (int i = 0; i < 100; i++) {
		sum += work(i);
		if (i % 10 == 0) {
			char c = (char)('0' + sum % 10);

			write(1, &c, 1);
		}
	}
	return sum;
}
