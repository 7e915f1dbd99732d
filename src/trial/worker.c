/* Workers: see worker.h. */
#include "trial/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "trial/trial_bytes.h"
#include "trial/trial_exec.h"
#include "trial/worker_server.h"

/* ------ what a worker does ------ */

#define MOST_FILE (1ull << 30) /* bytes that a trial may write to one file */

/* What is to be done after a job. */
enum next {
	NEXT_GO_ON,
	NEXT_QUIT,   /* hence said so */
	NEXT_ORPHAN, /* hence is gone */
};

struct loop {
	const struct worker_options *options;
	int socket;
	sigset_t mask; /* of the program */
	struct room room;
	struct confine confine;
	struct exec exec;
	struct crash_cache *crashes;
	struct worker_server server;
	struct worker_points points;
	struct server_page page; /* for programs that are executed and count their work */
	struct trial_edit edit;  /* of the trial */
	enum next next;
};

static void wake(int number)
{
}

/* The worker keeps no signal handler of hence, and the user's signals do not reach it. */
static void set_signals(struct loop *loop)
{
	struct sigaction action = {.sa_handler = wake}, old;
	sigset_t child;

	for (int number = 1; number < NSIG; number++)
		if (!sigaction(number, NULL, &old) && old.sa_handler != SIG_IGN &&
		    old.sa_handler != SIG_DFL)
			signal(number, SIG_DFL);
	sigemptyset(&action.sa_mask);
	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &loop->mask);
	sigdelset(&loop->mask, SIGCHLD);
}

static struct hence_error *set_up(struct loop *loop)
{
	const struct worker_options *options = loop->options;
	struct confine_limits limits = {options->memory, MOST_FILE, 0};
	bool records = options->room.session && options->kind != WORKER_EXPERIMENTS;
	struct hence_error *error;
	DIR *dir;
	struct dirent *entry;

	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	set_signals(loop);
	/* Closes all that hence has open, above all the sockets of other workers: they would not
	   notice its end. What the user has handed down goes too: a trial could write there. */
	dir = opendir("/proc/self/fd");
	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (fd > 2 && fd != dirfd(dir) && fd != loop->socket &&
		    fd != loop->options->scratch->lock)
			close(fd);
	}
	if (dir)
		closedir(dir);
	limits.seconds = (uint32_t)options->timeout + 2;
	error = room_create(&options->room, &loop->room);
	if (error)
		return error;
	loop->crashes = crash_cache_create();
	if (records)
		limits = (struct confine_limits){0};
	error = confine_create(options->unconfined ? NULL : options->room.part,
	                       records ? options->room.session : NULL, &limits, &loop->confine);
	if (!error)
		error = exec_init(&loop->exec);
	loop->server = (struct worker_server){.room = &loop->room,
	                                      .program = options->room.program,
	                                      .confine = &loop->confine,
	                                      .mask = &loop->mask,
	                                      .seconds = options->timeout,
	                                      .image = options->image,
	                                      .cancel = loop->socket};
	if (!error && (options->kind == WORKER_TESTS || options->image))
		error = server_page_init(true, &loop->page);
	else if (!error && options->counted && !options->room.line &&
	         (options->kind == WORKER_RECORDS || !options->room.session))
		error = server_page_init(options->kind == WORKER_RECORDS, &loop->page);
	if (!error && options->image)
		server_page_load(&loop->page, options->image);
	if (!error && options->orders)
		server_page_patch(&loop->page, options->orders);
	if (!error && options->kind == WORKER_EXPERIMENTS) {
		loop->points.server = loop->server;
		loop->points.server.experiments = true;
		loop->points.server.tape = loop->options->tape;
		loop->points.budget = loop->options->budget;
		loop->points.rails = loop->options->rails;
		error = worker_points_start(&loop->points);
	} else if (!error && !options->plain && !options->room.line) {
		error = worker_server_start(&loop->server);
	}
	return error;
}

/* While a trial runs: hence has something to say, or is gone. */
static bool interrupted(void *context)
{
	struct loop *loop = context;
	struct str message = STR_INIT;
	enum message_kind kind;

	if (!message_receive(loop->socket, &kind, &message))
		loop->next = NEXT_ORPHAN;
	else if (kind == MESSAGE_QUIT)
		loop->next = NEXT_QUIT;
	str_deinit(&message);
	return true;
}

/* 126 and 127 are the shell's own: the test was not run. */
static struct hence_error *check_test(const char *line, int status)
{
	static const char words[] = " \"$@\""; /* that the user did not write */
	size_t length = strlen(line);

	if (status != 126 && status != 127)
		return NULL;
	if (length > strlen(words) && !strcmp(line + length - strlen(words), words))
		length -= strlen(words);
	return error_create(HENCE_ERROR_INPUT,
	                    "the test %.*s could not be run (exit status %d, as a shell says of a "
	                    "command that it does not %s); run it by hand to see why",
	                    (int)length, line, status, status == 126 ? "get to run" : "find");
}

static uint64_t most_work(const struct loop *loop)
{
	return loop->edit.work ? loop->edit.work : loop->options->work;
}

static double most_seconds(const struct loop *loop)
{
	return loop->edit.seconds > 0 ? loop->edit.seconds : loop->options->timeout;
}

static bool has_stdin(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			return true;
	return false;
}

/* Executes the program or the test. */
static struct hence_error *try_by_exec(struct loop *loop, const struct input *input, bool *stopped,
                                       struct trial_result *out)
{
	struct room_command command;
	struct exec_result how = {0};
	struct hence_error *error = room_furnish(&loop->room, input, &command);
	bool test;
	struct exec_command exec;

	if (error)
		return error;
	/* Tells the program where to count its work. */
	if (loop->page.at) {
		command.environment.at[command.environment.size - 1] =
			str_format(HENCE_SERVER_ENV "=%010d", loop->page.file);
		vec_push(&command.environment);
	}
	test = loop->options->room.line;
	exec = (struct exec_command){
		.path = command.path,
		.argv = command.argv.at,
		.environment = command.environment.at,
		.folder = loop->room.dir,
		.streams = {has_stdin(input) ? loop->room.in : loop->room.none, loop->room.out,
	                    loop->room.message},
		.confine = &loop->confine,
		.mask = &loop->mask,
		.traced = !test && !loop->options->untraced,
		.timeout = most_seconds(loop),
		.watched = loop->options->watched,
		.patience = test ? 0 : loop->options->patience,
		.control = loop->socket,
		.interrupted = interrupted,
		.context = loop,
		.crashes = loop->crashes,
		.page = loop->page,
	};
	if (loop->page.at)
		server_page_reset(&loop->page, test ? 0 : most_work(loop));
	error = exec_run(&loop->exec, &exec, &how);
	room_command_deinit(&command);
	if (error)
		return error;
	out->outcome = how.outcome;
	out->pc = how.pc;
	out->peak = how.peak;
	out->limit = how.limit;
	out->endless = how.endless;
	out->refused = how.refused;
	out->seconds = how.seconds;
	if (loop->page.at) {
		out->work = loop->page.at->work;
		out->cut = loop->page.at->cut && how.outcome.kind == OUTCOME_TIMED_OUT;
	}
	*stopped = how.interrupted;
	if (loop->options->room.line && how.outcome.kind == OUTCOME_EXITED) {
		out->test = how.outcome.status;
		error = check_test(loop->options->room.line, out->test);
	}
	if (!error && !how.interrupted)
		error = room_output(&loop->room, &out->output, &out->message);
	return error;
}

/* After a forked run: was it interrupted? */
static bool was_stopped(struct loop *loop, const struct trial_result *result)
{
	bool stopped = result->outcome.kind == OUTCOME_UNKNOWN;

	if (stopped)
		interrupted(loop);
	return stopped;
}

static struct hence_error *try(struct loop *loop, const struct input *input, bool *stopped,
                               struct trial_result *out)
{
	struct trial_result result = {.test = -1};
	struct hence_error *error = NULL;
	bool done = false;

	if (loop->server.server) {
		struct server_limits limits = {most_seconds(loop), most_work(loop),
		                               ROOM_MOST_OUTPUT, loop->socket};

		/* Forks the program; *done is false when that is not possible any more. */
		error = worker_server_try(&loop->server, input, &limits, &done, &result);
		if (!error && done)
			*stopped = was_stopped(loop, &result);
	}
	if (!error && !done)
		error = try_by_exec(loop, input, stopped, &result);
	if (error)
		trial_result_deinit(&result);
	else
		*out = result;
	return error;
}

/* What the program made of its orders. */
static void add_orders(const struct loop *loop, size_t size, struct str *answer)
{
	str_add_bytes(answer, (char *)loop->page.at + HENCE_ORDERS, size);
}

static struct hence_error *do_job(struct loop *loop, const struct str *message)
{
	struct trial_result result = {0};
	struct str answer = STR_INIT;
	struct hence_error *error;
	bool stopped = false;

	if (loop->options->kind == WORKER_EXPERIMENTS) {
		struct server_limits limits = {loop->options->timeout, loop->options->work,
		                               ROOM_MOST_OUTPUT, loop->socket};

		error = worker_points_try(&loop->points, message, &limits, &answer, &result);
		if (!error)
			stopped = was_stopped(loop, &result);
	} else if (loop->options->kind == WORKER_TESTS) {
		server_page_patch(&loop->page, message);
		error = try(loop, loop->options->room.input, &stopped, &result);
		if (!error)
			add_orders(loop, message->length, &answer);
	} else {
		struct trial_edit *edit = &loop->edit;
		struct input input;

		if (!trial_bytes_get_input(message, &input, edit)) {
			error = error_create(HENCE_ERROR_INTERNAL,
			                     "a worker was given a damaged job");
		} else {
			server_page_edit(&loop->page, edit);
			server_edit(loop->server.server, edit);
			error = try(loop, &input, &stopped, &result);
			/* Of an executed program the page is ours, of a forked one its server's. */
			if (!error && edit->count && result.forked)
				server_scouts(loop->server.server, edit, &answer);
			else if (!error && edit->count)
				server_page_scouts(&loop->page, edit, &answer);
			input_deinit(&input);
		}
	}
	if (!error && loop->options->orders)
		add_orders(loop, loop->options->orders->length, &answer);
	if (!error && !stopped) {
		struct str bytes = STR_INIT;

		trial_bytes_put_result(&bytes, &result, &answer);
		if (!message_send(loop->socket, MESSAGE_RESULT, bytes.text, bytes.length))
			loop->next = NEXT_ORPHAN;
		str_deinit(&bytes);
	}
	str_deinit(&answer);
	if (error)
		return error;
	if (stopped && !message_send(loop->socket, MESSAGE_CANCELLED, NULL, 0))
		loop->next = NEXT_ORPHAN;
	trial_result_deinit(&result);
	/* While hence thinks about the result. */
	return room_tidy(&loop->room);
}

static struct hence_error *work(struct loop *loop)
{
	struct str message = STR_INIT;
	struct hence_error *error = NULL;

	while (!error && loop->next == NEXT_GO_ON) {
		enum message_kind kind;

		if (!message_receive(loop->socket, &kind, &message))
			loop->next = NEXT_ORPHAN;
		else if (kind == MESSAGE_QUIT)
			loop->next = NEXT_QUIT;
		else if (kind == MESSAGE_JOB)
			error = do_job(loop, &message);
		/* MESSAGE_CANCEL that came after the end of its trial means nothing. */
	}
	str_deinit(&message);
	return error;
}

/* The whole life of a worker, in a new process. */
__attribute__((noreturn)) static void worker_loop(const struct worker_options *options, int socket)
{
	struct loop loop = {.options = options, .socket = socket, .next = NEXT_GO_ON};
	struct hence_error *error = set_up(&loop);

	if (!error && !message_send(socket, MESSAGE_READY, NULL, 0))
		loop.next = NEXT_ORPHAN;
	if (!error)
		error = work(&loop);
	if (error) {
		struct str bytes = STR_INIT;
		uint32_t kind = error->kind;

		str_add_bytes(&bytes, &kind, sizeof(kind));
		str_add(&bytes, error->message);
		message_send(loop.socket, MESSAGE_ERROR, bytes.text, bytes.length);
		str_deinit(&bytes);
		error_destroy(error);
	}
	worker_server_stop(&loop.server);
	worker_points_stop(&loop.points);
	/* Our end of the socket is closed last: it tells hence that all is gone. */
	if (loop.next == NEXT_ORPHAN)
		trial_scratch_leave(options->scratch, options->room.part);
	else
		trial_scratch_remove(options->room.part);
	_exit(0);
}

/* ------ starting and ending workers ------ */

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

struct hence_error *worker_start(const struct worker_options *options, struct worker *out)
{
	struct worker worker;
	struct hence_error *error;
	int ends[2];
	struct str message = STR_INIT;
	enum message_kind kind;

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
	error = NULL;
	if (!await_word(options, worker.socket)) {
		error = error_create(HENCE_ERROR_INPUT, "stopped");
	} else {
		if (!message_receive(worker.socket, &kind, &message))
			error = worker_death(&worker);
		else if (kind == MESSAGE_ERROR)
			error = worker_error(&message);
		str_deinit(&message);
	}
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
