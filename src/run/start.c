/*
 * Starts a command. The child waits on a pipe until it is traced, then executes the program; a
 * second pipe, closed by a successful exec, brings back the reason of a failed one.
 */
#include "run/start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/tracee.h"
#include "runtime/protocol.h"

struct child {
	const struct launch_options *options;
	const sigset_t *mask;
	char **environment;
	int go[2];     /* 't': traced, 'u': not */
	int failed[2]; /* errno of a failed exec */
};

/* The user's environment, with HENCE_SESSION as its last entry if there is a session. Caller frees
   the array and its last entry. */
static char **make_environment(const char *session)
{
	VEC(char *) list = VEC_INIT;
	size_t length = strlen(HENCE_SESSION_ENV);

	for (char **entry = environ; *entry; entry++)
		if (strncmp(*entry, HENCE_SESSION_ENV "=", length + 1))
			*vec_push(&list) = *entry;
	*vec_push(&list) = session ? str_format(HENCE_SESSION_ENV "=%s", session) : NULL;
	vec_push(&list);
	return list.at;
}

static void free_environment(char **environment, const char *session)
{
	char **last = environment;

	while (session && last[1])
		last++;
	if (session)
		free(*last);
	free(environment);
}

static void move_streams(const int streams[3])
{
	for (int i = 0; i < 3; i++)
		if (streams[i] >= 0 && dup2(streams[i], i) < 0)
			_exit(127);
}

/* Like execvp(), has the shell read a script without a first line '#!'. */
static void execute(const struct child *child)
{
	const struct launch_options *options = child->options;
	uint32_t count = 0;
	const char **argv;

	execve(options->path, options->argv, child->environment);
	if (errno != ENOEXEC)
		return;
	while (options->argv[count])
		count++;
	argv = mem_alloc((count + 2) * sizeof(*argv));
	argv[0] = "sh";
	argv[1] = options->path;
	for (uint32_t i = 1; i < count; i++)
		argv[i + 1] = options->argv[i];
	execve("/bin/sh", (char *const *)argv, child->environment);
}

static void run_child(const struct child *child)
{
	char go = 0;
	int reason;

	close(child->go[1]);
	if (read(child->go[0], &go, 1) != 1)
		_exit(127);
	/* A tracer's end kills its tracees; without one we must ask for it. */
	if (go == 'u')
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	move_streams(child->options->streams);
	sigprocmask(SIG_SETMASK, child->mask, NULL);
	execute(child);
	reason = errno;
	if (write(child->failed[1], &reason, sizeof(reason)) < 0)
		_exit(126);
	_exit(127);
}

static struct hence_error *fork_child(const struct child *child, struct started *out)
{
	int before = personality(0xffffffff);
	pid_t id;

	out->fixed_addresses = personality((unsigned long)before | ADDR_NO_RANDOMIZE) >= 0;
	id = fork();
	if (id == 0)
		run_child(child);
	personality((unsigned long)before);
	if (id < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot start %s", child->options->path);
	out->traced = tracee_attach(id);
	if (write(child->go[1], out->traced ? "t" : "u", 1) != 1)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start %s",
		                        child->options->path);
	out->pid = id;
	return NULL;
}

static void close_pipe(int fds[2])
{
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

struct hence_error *start_command(const struct launch_options *options, const sigset_t *mask,
                                  struct started *out)
{
	struct child child = {options, mask, NULL, {-1, -1}, {-1, -1}};
	struct started started = {.failed = -1};
	struct hence_error *error;

	if (pipe2(child.go, O_CLOEXEC) || pipe2(child.failed, O_CLOEXEC)) {
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot make a pipe");
	} else {
		child.environment = make_environment(options->session);
		fflush(NULL);
		error = fork_child(&child, &started);
		free_environment(child.environment, options->session);
	}
	if (!error) {
		started.failed = child.failed[0];
		child.failed[0] = -1;
		*out = started;
	}
	close_pipe(child.go);
	close_pipe(child.failed);
	return error;
}

struct hence_error *start_check(struct started *started, const struct launch_options *options)
{
	int reason = 0;
	ssize_t got = read(started->failed, &reason, sizeof(reason));

	close(started->failed);
	started->failed = -1;
	if (got != sizeof(reason))
		return NULL;
	errno = reason;
	return error_from_errno(HENCE_ERROR_INPUT, "cannot run %s", options->argv[0]);
}
