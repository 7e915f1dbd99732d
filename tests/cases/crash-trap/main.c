/* Dies by a trap instruction (SIGILL), in a child by SIGTRAP and by SIGSYS. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int in_child(int sig)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		raise(sig);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

int main(void)
{
	printf("%d\n", in_child(SIGTRAP) == SIGTRAP);
	printf("%d\n", in_child(SIGSYS) == SIGSYS);
	printf("%d\n", in_child(SIGCHLD));
	fflush(stdout);
	if (in_child(SIGKILL) == SIGKILL)
		__builtin_trap();
	return 0;
}
