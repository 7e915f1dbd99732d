/* fork: children compute and leave in different ways; copies of memory; grandchildren; exit
 * statuses. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int global = 100;

static int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void bye(void)
{
	printf("handler in a process with global %d\n", global);
}

static void child(int number)
{
	global += number;
	printf("child %d computes %d\n", number, fibonacci(number + 5));
	switch (number) {
	case 0: exit(global - 90);
	case 1: fflush(stdout); _exit(42);
	case 2:
		fflush(stdout);
		raise(SIGTERM);
		break;
	case 3: fflush(stdout); abort();
	case 4:
		fflush(stdout);
		if (fork() == 0) {
			global *= 2;
			printf("grandchild %d\n", global);
			exit(3);
		}
		wait(&number);
		printf("child saw %d\n", WEXITSTATUS(number));
		exit(5);
	}
}

static void report(int number, int status)
{
	if (WIFEXITED(status))
		printf("child %d exited %d\n", number, WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		printf("child %d signal %d\n", number, WTERMSIG(status));
}

int main(void)
{
	int local = 7, status;

	atexit(bye);
	for (int i = 0; i < 5; i++) {
		pid_t pid;

		fflush(stdout);
		pid = fork();
		if (pid == 0) {
			local *= 2;
			child(i);
			printf("unreached %d\n", local);
		}
		waitpid(pid, &status, 0);
		report(i, status);
	}
	printf("parent %d %d %d\n", global, local, wait(NULL));
	return 0;
}
