/* Starting and ending workers: see worker.h. What a worker does is in worker_loop.c. */
#include "trial/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trial/trial_bytes.h"
#include "trial/worker_loop.h"

#define PATIENCE 10000 /* milliseconds for a worker to end */
#define PULSE    200   /* between two questions whether it is still wanted */

/* Until it has something to say; false: it is not wanted any more. */
static bool await_word(const struct worker_options *options, int socket)
{
	struct pollfd word = {.fd = socket, .events = POLLIN};

	while (poll(&word, 1, PULSE) <= 0)
		if (options->stop(options->context))
			return false;
	return true;
}

static struct hence_error *await_ready(const struct worker_options *options, struct worker *worker)
{
	struct str message = STR_INIT;
	enum message_kind kind;
	struct hence_error *error = NULL;

	if (!await_word(options, worker->socket))
		return error_create(HENCE_ERROR_INPUT, "stopped");
	if (!message_receive(worker->socket, &kind, &message))
		error = worker_death(worker);
	else if (kind == MESSAGE_ERROR)
		error = worker_error(&message);
	str_deinit(&message);
	return error;
}

struct hence_error *worker_start(const struct worker_options *options, struct worker *out)
{
	struct worker worker;
	struct hence_error *error;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make a socket");
	fflush(NULL);
	worker.pid = fork();
	if (!worker.pid)
		worker_loop(options, ends[1]);
	close(ends[1]);
	worker.socket = ends[0];
	if (worker.pid < 0) {
		close(ends[0]);
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start a worker");
	}
	error = await_ready(options, &worker);
	if (error)
		worker_stop(&worker);
	else
		*out = worker;
	return error;
}

/* Until the worker's end of the socket is closed; what it still has to say is thrown away. */
static bool await_end(int socket)
{
	struct pollfd end = {.fd = socket, .events = POLLIN};
	char bytes[65536];

	for (;;) {
		int ready = poll(&end, 1, PATIENCE);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return false;
		if (recv(socket, bytes, sizeof(bytes), 0) <= 0)
			return true;
	}
}

void worker_stop(struct worker *worker)
{
	if (worker->pid <= 0)
		return;
	if (message_send(worker->socket, MESSAGE_CANCEL, NULL, 0))
		message_send(worker->socket, MESSAGE_QUIT, NULL, 0);
	if (!await_end(worker->socket))
		kill(worker->pid, SIGKILL);
	close(worker->socket);
	while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	worker->pid = 0;
}

struct hence_error *worker_error(const struct str *message)
{
	uint32_t kind = HENCE_ERROR_INTERNAL;

	if (message->length < sizeof(kind))
		return error_create(HENCE_ERROR_INTERNAL, "a worker failed");
	memcpy(&kind, message->text, sizeof(kind));
	return error_create((enum hence_error_kind)kind, "%s", message->text + sizeof(kind));
}

struct hence_error *worker_death(struct worker *worker)
{
	int status = 0;
	pid_t got;

	do
		got = waitpid(worker->pid, &status, 0);
	while (got < 0 && errno == EINTR);
	worker->pid = 0;
	close(worker->socket);
	if (got > 0 && WIFSIGNALED(status))
		return error_create(HENCE_ERROR_INTERNAL,
		                    "a worker that ran trials was killed by %s",
		                    outcome_signal_name(WTERMSIG(status)));
	return error_create(HENCE_ERROR_INTERNAL, "a worker that ran trials has ended");
}
