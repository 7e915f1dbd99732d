/* Starts the program that will be a server: as start.c does, but confined, and with files of
   ours. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "trial/server_work.h"
#include "run/tracee.h"

struct child {
	const struct server_options *options;
	const struct server *server;
	char **argv, **environment;
	int go[2];     /* a byte says that it is traced */
	int failed[2]; /* errno of what failed */
};

static bool place_streams(const struct server *server)
{
	int input = server->given >= 0 ? server->given : server->nothing;

	return dup2(input, 0) >= 0 && dup2(server->output, 1) >= 0 &&
	       dup2(server->nothing, 2) >= 0 && !fcntl(server->shared.file, F_SETFD, 0);
}

static int prepare(const struct child *child)
{
	const struct server_options *options = child->options;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	if (!place_streams(child->server))
		return errno;
	if (options->directory && chdir(options->directory))
		return errno;
	sigprocmask(SIG_SETMASK, &child->server->mask, NULL);
	return options->confine ? options->confine(options->confinement) : 0;
}

static void run_child(const struct child *child)
{
	int reason;
	char go;

	close(child->go[1]);
	if (read(child->go[0], &go, 1) != 1)
		_exit(127);
	reason = prepare(child);
	if (!reason) {
		execve(child->options->path, child->argv, child->environment);
		reason = errno;
	}
	if (write(child->failed[1], &reason, sizeof(reason)) < 0)
		_exit(126);
	_exit(127);
}

/* Without randomisation: addresses are then those of any other run. */
static pid_t fork_child(const struct child *child)
{
	int before = personality(0xffffffff);
	pid_t pid;

	personality((unsigned long)before | ADDR_NO_RANDOMIZE);
	fflush(NULL);
	pid = fork();
	if (!pid)
		run_child(child);
	personality((unsigned long)before);
	return pid;
}

static struct hence_error *launch(struct child *child, struct server *server, bool *traced)
{
	const char *path = child->options->path;

	if (pipe2(child->go, O_CLOEXEC) || pipe2(child->failed, O_CLOEXEC))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make a pipe");
	server->pid = fork_child(child);
	if (server->pid < 0) {
		server->pid = 0;
		return error_from_errno(HENCE_ERROR_INPUT, "cannot start %s", path);
	}
	*traced = tracee_attach(server->pid);
	if (*traced && write(child->go[1], "t", 1) != 1)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start %s", path);
	return NULL;
}

static void close_pipe(int fds[2])
{
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

struct hence_error *server_launch(struct server *server, const struct server_options *options,
                                  int *failed, bool *traced)
{
	struct child child = {
		.options = options, .server = server, .go = {-1, -1}, .failed = {-1, -1}};
	struct hence_error *error;
	char *variable = str_format(HENCE_SERVER_ENV "=%010d", server->shared.file);

	child.argv = server_argv(server, options->input);
	child.environment = server_environment(server, options->input, variable);
	error = launch(&child, server, traced);
	if (!error) {
		*failed = child.failed[0];
		child.failed[0] = -1;
	}
	close_pipe(child.go);
	close_pipe(child.failed);
	server_free_words(child.argv);
	server_free_words(child.environment);
	free(variable);
	return error;
}
