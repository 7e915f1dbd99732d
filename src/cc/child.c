/* Child processes: see child.h. */
#include "cc/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int guarded[] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t caught;
static volatile pid_t running;

static void on_signal(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	caught = number;
	/* What comes from the terminal reaches the child without our help. */
	if (running > 0 && info->si_code != SI_KERNEL)
		kill(running, number);
	errno = saved;
}

void child_guard(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	struct sigaction old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < COUNT(guarded); i++) {
		sigaction(guarded[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(guarded[i], &action, NULL);
	}
}

int child_caught(void)
{
	return caught;
}

void child_pass_on_signal(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}

/* Forks so that no signal falls between the fork and the note of the child's number. In the child
   the signals are as they were before child_guard(). */
static pid_t guarded_fork(void)
{
	sigset_t set, old;
	pid_t pid;

	sigemptyset(&set);
	for (size_t i = 0; i < COUNT(guarded); i++)
		sigaddset(&set, guarded[i]);
	sigprocmask(SIG_BLOCK, &set, &old);

	pid = fork();
	if (pid > 0)
		running = pid;
	for (size_t i = 0; pid == 0 && i < COUNT(guarded); i++) {
		struct sigaction action;

		sigaction(guarded[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			signal(guarded[i], SIG_DFL);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	/* A signal from before the fork is not the child's; but it is the end of the work. */
	if (pid > 0 && caught)
		kill(pid, caught);
	return pid;
}

static void wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	running = 0;
}

/* The child's half of child_run(): the exec, or its errno to the parent. */
static _Noreturn void start(char *const *argv, int stderr_fd, int report)
{
	if (stderr_fd >= 0)
		dup2(stderr_fd, STDERR_FILENO);
	execvp(argv[0], argv);
	if (write(report, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

struct hence_error *child_run(char *const *argv, int stderr_fd, int *status)
{
	int report[2];
	int failure = 0;
	int ended = 0;
	ssize_t got;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make a pipe");
	fflush(NULL);
	pid = guarded_fork();
	if (pid == 0)
		start(argv, stderr_fd, report[1]);
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start %s", argv[0]);
	}
	do
		got = read(report[0], &failure, sizeof(failure));
	while (got < 0 && errno == EINTR);
	close(report[0]);
	wait_for(pid, &ended);
	if (got > 0) {
		errno = failure;
		return error_from_errno(HENCE_ERROR_INPUT, "cannot start %s", argv[0]);
	}
	*status = ended;
	return NULL;
}

/* What the work's process says about its error: the kind in one byte, then the message. */
static _Noreturn void do_work(struct hence_error *(*work)(const void *), const void *context,
                              int report)
{
	struct hence_error *error = work(context);
	size_t sent = 0;
	size_t length;
	uint8_t kind;

	if (!error)
		_exit(0);
	kind = (uint8_t)error->kind;
	length = strlen(error->message);
	if (write(report, &kind, 1) != 1)
		_exit(2);
	while (sent < length) {
		ssize_t put = write(report, error->message + sent, length - sent);

		if (put <= 0)
			_exit(2);
		sent += (size_t)put;
	}
	_exit(1);
}

static struct hence_error *judge_work(int status, const struct str *said, const char *name)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NULL;
	if (said->length)
		return error_create((enum hence_error_kind)said->text[0], "%s", said->text + 1);
	if (WIFSIGNALED(status))
		return error_create(HENCE_ERROR_INTERNAL, "%s: died of %s while adding the hooks",
		                    name, strsignal(WTERMSIG(status)));
	return error_create(HENCE_ERROR_INTERNAL, "%s: could not add the hooks", name);
}

struct hence_error *child_call(struct hence_error *(*work)(const void *context),
                               const void *context, const char *name)
{
	struct str said = STR_INIT;
	struct hence_error *error;
	int report[2];
	int status = 0;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make a pipe");
	fflush(NULL);
	pid = guarded_fork();
	if (pid == 0)
		do_work(work, context, report[1]);
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start a process");
	}
	str_add_from(&said, report[0]);
	close(report[0]);
	wait_for(pid, &status);
	error = judge_work(status, &said, name);
	str_deinit(&said);
	return error;
}
