/* Child processes of an evaluation: see eval_child.h. */
#include "research/eval_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "cli/progress.h"

#define GRACE 2.0 /* seconds between asking and killing */

static volatile sig_atomic_t interrupted;
static int interruption = -1; /* becomes readable, and stays so */

/* --- signals --- */

static void catch (int signal)
{
	uint64_t one = 1;
	int before = errno;

	(void)signal;
	interrupted = 1;
	if (write(interruption, &one, sizeof(one)) < 0)
		interrupted = 1;
	errno = before;
}

struct hence_error *eval_child_catch_signals(void)
{
	struct sigaction action = {.sa_handler = catch, .sa_flags = SA_RESETHAND | SA_RESTART};
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

	interruption = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (interruption < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot watch for signals");
	for (unsigned i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
	return NULL;
}

bool eval_child_interrupted(void)
{
	return interrupted;
}

void eval_child_wait(int milliseconds)
{
	struct pollfd watched = {interruption, POLLIN, 0};

	poll(&watched, 1, milliseconds);
}

/* --- the child --- */

/* In the child: only system calls, since other threads may hold locks. */
static void begin(const struct eval_child *child, char *const *environment, int in, int out,
                  int err)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 || chdir(child->folder) < 0)
		_exit(127);
	if (child->confine && confine_self(child->confine))
		_exit(127);
	execve(child->program ? child->program : child->argv[0], child->argv, environment);
	_exit(127);
}

/* Our environment, with PATH extended. Its first element is to be freed, and the list. */
static char **make_environment(const char *path)
{
	extern char **environ;
	const char *old = getenv("PATH");
	size_t count = 0, kept = 1;
	char **out;

	while (environ[count])
		count++;
	out = mem_alloc((count + 2) * sizeof(*out));
	out[0] = path ? str_format("PATH=%s:%s", path, old ? old : "/usr/bin:/bin")
	              : str_format("PATH=%s", old ? old : "/usr/bin:/bin");
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "PATH=", 5))
			out[kept++] = environ[i];
	return out;
}

static struct hence_error *start(const struct eval_child *child, pid_t *pid)
{
	char **environment = make_environment(child->path);
	int in = open(child->in ? child->in : "/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open(child->out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err = open(child->err, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	struct hence_error *error = NULL;

	if (in < 0) {
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", child->in);
	} else if (out < 0 || err < 0) {
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot write %s", child->out);
	} else {
		*pid = fork();
		if (!*pid)
			begin(child, environment, in, out, err);
		if (*pid < 0)
			error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot start %s",
			                         child->argv[0]);
		else
			setpgid(*pid, *pid);
	}
	for (int i = 0, all[] = {in, out, err}; i < 3; i++)
		if (all[i] >= 0)
			close(all[i]);
	free(environment[0]);
	free(environment);
	return error;
}

/* Waits until it ends, the time is over, or a signal comes. True: it has ended. */
static bool wait_until(int process, double until, bool interruptible)
{
	struct pollfd watched[] = {{process, POLLIN, 0}, {interruption, POLLIN, 0}};

	for (;;) {
		double left = until - budget_clock();
		int ready = poll(watched, interruptible && interruption >= 0 ? 2 : 1,
		                 left > 0 ? (int)(left * 1000) + 1 : 0);

		if (watched[0].revents)
			return true;
		if (ready < 0 && errno != EINTR)
			return false;
		if (watched[1].revents || left <= 0)
			return false;
	}
}

struct hence_error *eval_child_run(const struct eval_child *child, struct eval_ended *out)
{
	double begun = budget_clock();
	struct hence_error *error;
	struct rusage used = {0};
	int process, status = 0;
	bool ended;
	pid_t pid = -1;

	*out = (struct eval_ended){.end = EVAL_INTERRUPTED};
	if (interrupted)
		return NULL;
	error = start(child, &pid);
	if (error)
		return error;
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot watch %s", child->argv[0]);
	ended = process >= 0 && wait_until(process, begun + child->limit, true);
	if (!ended) {
		out->end = interrupted ? EVAL_INTERRUPTED : EVAL_TIMED_OUT;
		kill(-pid, SIGTERM);
		wait_until(process, budget_clock() + (process < 0 ? 0 : GRACE), false);
	}
	/* It, or what it started and left. It is not waited for yet, so that the number is still that of its group. */
	kill(-pid, SIGKILL);
	while (wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
		;
	if (process >= 0)
		close(process);
	out->seconds = budget_clock() - begun;
	out->cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
	if (ended)
		out->end = WIFEXITED(status) ? EVAL_EXITED : EVAL_KILLED;
	out->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	return error;
}
