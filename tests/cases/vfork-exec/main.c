/* vfork and the exec family: of itself with other arguments, of a system program, of a file that does not exist. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int status_of(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int run_vfork(const char *path, char *const argv[])
{
	volatile int before = 5;
	pid_t pid;

	fflush(stdout);
	pid = vfork();
	if (pid == 0) {
		before = 6;
		execv(path, argv);
		_exit(127);
	}
	return status_of(pid) * 10 + before;
}

static int run_spawn(char *const argv[])
{
	pid_t pid;

	fflush(stdout);
	if (posix_spawn(&pid, argv[0], NULL, NULL, argv, environ))
		return -1;
	return status_of(pid);
}

static int second(int argc, char **argv)
{
	int sum = 0;

	for (int i = 0; i < argc; i++) {
		printf("%s[%zu] ", i ? argv[i] : "self", i ? strlen(argv[i]) : 0);
		sum += (int)strlen(argv[i]);
	}
	printf("%s\n", getenv("COLOUR") ? getenv("COLOUR") : "no colour");
	if (!strcmp(argv[1], "again")) {
		char *args[] = {argv[0], "last", "", "with space", NULL};
		char *env[] = {"COLOUR=blue", NULL};

		fflush(stdout);
		execve(argv[0], args, env);
	}
	return sum;
}

int main(int argc, char **argv)
{
	char *again[] = {argv[0], "again", "x", NULL}, *plain[] = {argv[0], "plain", NULL};
	char *truth[] = {"true", NULL}, *missing[] = {"missing", NULL};

	if (argc > 1)
		return second(argc, argv);
	printf("vfork %d\n", run_vfork(argv[0], plain));
	printf("true %d\n", run_vfork("/bin/true", truth));
	printf("false %d\n", run_vfork("/bin/false", truth));
	printf("missing %d\n", run_vfork("/no/such/program", missing));
	printf("spawn %d\n", run_spawn(plain));
	setenv("COLOUR", "red", 1);
	printf("again %d\n", run_vfork(argv[0], again));
	fflush(stdout);
	execv("/no/such/program", plain);
	printf("errno %d\n", errno == ENOENT);
	fflush(stdout);
	execlp(argv[0], argv[0], "final", (char *)NULL);
	return 1;
}
