/*
 * Runs a command and writes the CPU time (user + system, of the command and of all processes that
 * it waited for), the wall time and the system part of the CPU time, in seconds, and the kilobytes
 * of the largest of these processes, to a file: bash's own `time` has milliseconds only.
 * Usage: cputime FILE COMMAND [ARG...]; exits as the command did (128 + N for signal N).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static double wall_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (pid == 0) {
		execvp(command[0], command);
		fprintf(stderr, "cputime: cannot run %s: %s\n", command[0], strerror(errno));
		_exit(127);
	}
	return pid;
}

static int write_times(const char *path, double cpu, double wall, double kernel, long peak)
{
	FILE *f = fopen(path, "w");

	if (!f || fprintf(f, "%.6f %.6f %.6f %ld\n", cpu, wall, kernel, peak) < 0 || fclose(f)) {
		fprintf(stderr, "cputime: cannot write %s: %s\n", path, strerror(errno));
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double begin, wall, kernel;
	int status;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: cputime FILE COMMAND [ARG...]\n");
		return 2;
	}
	begin = wall_now();
	pid = start(argv + 2);
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		fprintf(stderr, "cputime: %s\n", strerror(errno));
		return 1;
	}
	wall = wall_now() - begin;
	/* Not wait4's: that leaves out children of the command which it waited for in turn. */
	getrusage(RUSAGE_CHILDREN, &usage);
	kernel = seconds(&usage.ru_stime);
	if (write_times(argv[1], seconds(&usage.ru_utime) + kernel, wall, kernel, usage.ru_maxrss))
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
