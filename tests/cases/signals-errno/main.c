/* Handlers and errno: one that changes it is seen by what it interrupted, in a call and in a loop, and one
   that keeps it is not. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t calls;

static void careless(int number)
{
	calls += number > 0;
	errno = ENOENT;
}

static void outside(int number)
{
	calls += number > 0;
	close(-1);
}

static void careful(int number)
{
	int saved = errno;

	calls += number > 0;
	close(-1);
	errno = saved;
}

static void inner(int number)
{
	calls += number > 0;
	raise(SIGUSR2);
}

static int after(void (*handler)(int))
{
	signal(SIGUSR1, handler);
	errno = 0;
	raise(SIGUSR1);
	return errno;
}

static int in_a_call(void)
{
	char byte;
	int ends[2], result;
	struct sigaction action = {.sa_handler = careful};

	sigaction(SIGALRM, &action, NULL);
	if (pipe(ends))
		return -1;
	errno = 0;
	alarm(1);
	result = (int)read(ends[0], &byte, 1);
	return result == -1 ? errno : 0;
}

int main(void)
{
	signal(SIGUSR2, careless);
	printf("%d %d %d\n", after(careless), after(outside), after(careful));
	printf("%d\n", after(inner));
	printf("%d\n", in_a_call());
	printf("%d\n", (int)calls);
	return 0;
}
