/* Forks that go past the C library's fork(): the child must not write to its parent's tape. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int work(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i % 7;
	return sum;
}

static int run(long pid, int n)
{
	int status;

	if (pid == 0)
		_exit(work(n) % 100);
	work(n / 2);
	waitpid((pid_t)pid, &status, 0);
	return WEXITSTATUS(status);
}

int main(void)
{
	printf("%d\n", run(syscall(SYS_fork), 1000));
	printf("%d\n", run(_Fork(), 2000));
	printf("%ld\n", syscall(SYS_getpid) == getpid() ? 1L : 0L);
	return 0;
}
