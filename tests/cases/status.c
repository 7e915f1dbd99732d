/*
 * status FILE COMMAND ARGS...: runs the command and writes `exit N` or `signal N` to FILE. A shell
 * cannot tell exit code 139 from SIGSEGV, prints words of its own about crashes, and leaves SIGINT
 * ignored in what it runs in the background; here signals are as in a fresh login, and there are no
 * core files.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		reset_signals();
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		execv(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("status");
		return -1;
	}
	return status;
}

int main(int argc, char **argv)
{
	FILE *file;
	int status;

	if (argc < 3) {
		fputs("usage: status FILE COMMAND ARGS...\n", stderr);
		return 2;
	}
	status = run(argv + 2);
	if (status == -1)
		return 2;
	file = fopen(argv[1], "w");
	if (!file) {
		perror(argv[1]);
		return 2;
	}
	if (WIFSIGNALED(status))
		fprintf(file, "signal %d\n", WTERMSIG(status));
	else
		fprintf(file, "exit %d\n", WEXITSTATUS(status));
	return fclose(file) == 0 ? 0 : 2;
}
