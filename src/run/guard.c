/* A guard over a directory: see guard.h. */
#include "run/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_stack.h"

/* What we have open is none of its business: others wait for the ends of pipes. */
static void close_files(int socket)
{
	int nothing = open("/dev/null", O_RDWR);
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	for (int fd = 0; fd < 3; fd++)
		dup2(nothing, fd);
	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (fd > 2 && fd != dirfd(dir) && fd != socket)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* The guard: makes the directory, says so, waits for our end. */
static void watch(int socket, char *path, void (*clean)(const char *path))
{
	int failed = mkdtemp(path) ? 0 : errno;
	char byte;

	if (send(socket, &failed, sizeof(failed), MSG_NOSIGNAL) == sizeof(failed) && !failed)
		send(socket, path, strlen(path), MSG_NOSIGNAL);
	close_files(socket);
	while (recv(socket, &byte, 1, 0) < 0 && errno == EINTR)
		continue;
	if (!failed && !access(path, F_OK))
		clean(path);
	/* _exit() does not suit sanitizers on a foreign stack. */
	syscall(SYS_exit_group, 0);
}

/* A guard that is to be started. */
struct start {
	const int *ends;
	char *template;
	void (*clean)(const char *path);
};

static int run_first(void *data)
{
	const struct start *start = data;
	pid_t pid;

	setsid();
	for (int number = 1; number < NSIG; number++)
		signal(number, number == SIGCHLD ? SIG_DFL : SIG_IGN);
	close(start->ends[0]);
	pid = fork();
	if (!pid)
		watch(start->ends[1], start->template, start->clean);
	syscall(SYS_exit_group, pid < 0);
	return 0;
}

/* Forks twice, so that the guard is an orphan and not our child. The first child has our memory, as with vfork(): a copy of it
   would only be copied again. */
static bool fork_guard(const int ends[2], char *template, void (*clean)(const char *path))
{
	struct start start = {ends, template, clean};
	void *stack = child_stack_create();
	int reaper = 0;
	pid_t pid;

	if (!stack)
		return false;
	prctl(PR_GET_CHILD_SUBREAPER, &reaper);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	fflush(NULL);
	pid = clone(run_first, child_stack_top(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	prctl(PR_SET_CHILD_SUBREAPER, reaper);
	child_stack_destroy(stack);
	return pid > 0;
}

/* Its answer: 0, or the errno of what failed. */
static int hear(int socket, char *template)
{
	ssize_t length = (ssize_t)strlen(template);
	int failed;

	if (recv(socket, &failed, sizeof(failed), MSG_WAITALL) != sizeof(failed))
		return EAGAIN;
	if (!failed && recv(socket, template, (size_t)length, MSG_WAITALL) != length)
		failed = EAGAIN;
	return failed;
}

bool guard_start(char *template, void (*clean)(const char *path), struct guard *out)
{
	struct guard guard;
	int ends[2], failed;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	failed = fork_guard(ends, template, clean) ? 0 : errno;
	close(ends[1]);
	guard.socket = ends[0];
	if (!failed)
		failed = hear(guard.socket, template);
	if (!failed) {
		*out = guard;
		return true;
	}
	guard_stop(&guard);
	errno = failed;
	return false;
}

void guard_stop(struct guard *guard)
{
	char byte;

	if (guard->socket < 0)
		return;
	/* It closes its end when it ends. */
	shutdown(guard->socket, SHUT_WR);
	while (recv(guard->socket, &byte, 1, 0) < 0 && errno == EINTR)
		continue;
	close(guard->socket);
	guard->socket = -1;
}
