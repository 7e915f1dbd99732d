/* Processes that talk through pipes: workers get jobs and give results; the parent adds up; one
 * gets SIGPIPE. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
	int number;
	char text[20];
};

static int work(const struct job *j)
{
	int r = j->number;

	for (const char *p = j->text; *p; p++)
		r = (r * 31 + *p) % 65521;
	return r;
}

static void worker(int from, int to)
{
	struct job j;
	int result, done = 0;

	while (read(from, &j, sizeof(j)) == sizeof(j)) {
		result = work(&j);
		if (write(to, &result, sizeof(result)) != sizeof(result))
			_exit(99);
		done++;
	}
	_exit(done);
}

static int serve(int seed, int jobs)
{
	int to[2], from[2], result, status, sum = 0;
	pid_t pid;

	if (pipe(to) || pipe(from))
		return -1;
	pid = fork();
	if (pid == 0) {
		close(to[1]);
		close(from[0]);
		worker(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	for (int i = 0; i < jobs; i++) {
		struct job j = {seed * 10 + i, ""};

		snprintf(j.text, sizeof(j.text), "job-%d-%d", seed, i);
		if (write(to[1], &j, sizeof(j)) < 0 || read(from[0], &result, sizeof(result)) < 0)
			return -2;
		sum = sum * 3 % 1000003 + result;
	}
	close(to[1]);
	close(from[0]);
	waitpid(pid, &status, 0);
	printf("worker did %d jobs\n", WEXITSTATUS(status));
	return sum;
}

static void broken_pipe(void)
{
	int fd[2], status;
	pid_t pid;

	if (pipe(fd))
		return;
	fflush(stdout);
	close(fd[0]);
	pid = fork();
	if (pid == 0) {
		signal(SIGPIPE, SIG_DFL);
		_exit(write(fd[1], "x", 1) == 1);
	}
	close(fd[1]);
	waitpid(pid, &status, 0);
	printf("broken pipe: signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

static void through_stdio(void)
{
	int fd[2];
	char line[64];
	FILE *in;

	if (pipe(fd))
		return;
	fflush(stdout);
	if (fork() == 0) {
		dup2(fd[1], 1);
		close(fd[0]);
		for (int i = 0; i < 4; i++)
			printf("line %d of the child\n", i * i);
		exit(0);
	}
	close(fd[1]);
	in = fdopen(fd[0], "r");
	while (fgets(line, sizeof(line), in))
		printf("got %zu: %s", strlen(line), line);
	fclose(in);
	wait(NULL);
}

int main(void)
{
	for (int i = 1; i <= 3; i++)
		printf("sum %d\n", serve(i, i * 4));
	broken_pipe();
	through_stdio();
	return 0;
}
