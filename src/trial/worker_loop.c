/* What a worker does: see worker_loop.h. */
#include "trial/worker_loop.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "trial/trial_bytes.h"
#include "trial/trial_exec.h"
#include "trial/worker_points.h"

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

/* Handlers of hence are none of the worker's, and its signals none of the user's. */
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

/* Closes all that hence has open, above all the sockets of other workers: they would not notice its
   end. What the user has handed down goes too: a trial could write there. */
static void close_files(const struct loop *loop)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (fd > 2 && fd != dirfd(dir) && fd != loop->socket &&
		    fd != loop->options->scratch->lock)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

static struct hence_error *start_experiments(struct loop *loop)
{
	loop->points.server = loop->server;
	loop->points.server.experiments = true;
	loop->points.server.tape = loop->options->tape;
	loop->points.budget = loop->options->budget;
	loop->points.rails = loop->options->rails;
	return worker_points_start(&loop->points);
}

static struct hence_error *set_up(struct loop *loop)
{
	const struct worker_options *options = loop->options;
	struct confine_limits limits = {options->memory, MOST_FILE, 0};
	bool records = options->room.session && options->kind != WORKER_EXPERIMENTS;
	struct hence_error *error;

	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	set_signals(loop);
	close_files(loop);
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
	if (!error && options->kind == WORKER_EXPERIMENTS)
		error = start_experiments(loop);
	else if (!error && !options->plain && !options->room.line)
		error = worker_server_start(&loop->server);
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

static struct hence_error *execute(struct loop *loop, const struct room_command *command,
                                   bool has_stdin, struct exec_result *out)
{
	bool test = loop->options->room.line;
	struct exec_command exec = {
		.path = command->path,
		.argv = command->argv.at,
		.environment = command->environment.at,
		.folder = loop->room.dir,
		.streams = {has_stdin ? loop->room.in : loop->room.none, loop->room.out,
	                    loop->room.none},
		.confine = &loop->confine,
		.mask = &loop->mask,
		.traced = !test && !loop->options->untraced,
		.timeout = most_seconds(loop),
		.control = loop->socket,
		.interrupted = interrupted,
		.context = loop,
		.crashes = loop->crashes,
		.page = loop->page,
	};

	if (loop->page.at)
		server_page_reset(&loop->page, test ? 0 : most_work(loop));
	return exec_run(&loop->exec, &exec, out);
}

/* Tells the program where to count its work. */
static void add_page(const struct loop *loop, struct room_command *command)
{
	if (!loop->page.at)
		return;
	command->environment.at[command->environment.size - 1] =
		str_format(HENCE_SERVER_ENV "=%010d", loop->page.file);
	vec_push(&command->environment);
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

	if (error)
		return error;
	add_page(loop, &command);
	error = execute(loop, &command, has_stdin(input), &how);
	room_command_deinit(&command);
	if (error)
		return error;
	out->outcome = how.outcome;
	out->pc = how.pc;
	out->peak = how.peak;
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
		error = room_output(&loop->room, &out->output);
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

/* Forks the program; *done is false when that is not possible any more. */
static struct hence_error *try_by_fork(struct loop *loop, const struct input *input, bool *done,
                                       bool *stopped, struct trial_result *out)
{
	struct server_limits limits = {most_seconds(loop), most_work(loop), ROOM_MOST_OUTPUT,
	                               loop->socket};
	struct hence_error *error = worker_server_try(&loop->server, input, &limits, done, out);

	if (!error && *done)
		*stopped = was_stopped(loop, out);
	return error;
}

static struct hence_error *try(struct loop *loop, const struct input *input, bool *stopped,
                               struct trial_result *out)
{
	struct trial_result result = {.test = -1};
	struct hence_error *error = NULL;
	bool done = false;

	if (loop->server.server)
		error = try_by_fork(loop, input, &done, stopped, &result);
	if (!error && !done)
		error = try_by_exec(loop, input, stopped, &result);
	if (error)
		trial_result_deinit(&result);
	else
		*out = result;
	return error;
}

static void report(struct loop *loop, const struct trial_result *result, const struct str *extra)
{
	struct str bytes = STR_INIT;

	trial_bytes_put_result(&bytes, result, extra);
	if (!message_send(loop->socket, MESSAGE_RESULT, bytes.text, bytes.length))
		loop->next = NEXT_ORPHAN;
	str_deinit(&bytes);
}

static struct hence_error *try_input(struct loop *loop, const struct str *message,
                                     struct str *answer, bool *stopped, struct trial_result *out)
{
	struct hence_error *error;
	struct trial_edit *edit = &loop->edit;
	struct input input;

	if (!trial_bytes_get_input(message, &input, edit))
		return error_create(HENCE_ERROR_INTERNAL, "a worker was given a damaged job");
	server_page_edit(&loop->page, edit);
	server_edit(loop->server.server, edit);
	error = try(loop, &input, stopped, out);
	/* Of an executed program the page is ours, of a forked one its server's. */
	if (!error && edit->count && out->forked)
		server_scouts(loop->server.server, edit, answer);
	else if (!error && edit->count)
		server_page_scouts(&loop->page, edit, answer);
	input_deinit(&input);
	return error;
}

static struct hence_error *try_experiment(struct loop *loop, const struct str *message,
                                          struct str *answer, bool *stopped,
                                          struct trial_result *out)
{
	struct server_limits limits = {loop->options->timeout, loop->options->work,
	                               ROOM_MOST_OUTPUT, loop->socket};
	struct hence_error *error = worker_points_try(&loop->points, message, &limits, answer, out);

	if (!error)
		*stopped = was_stopped(loop, out);
	return error;
}

/* What the program made of its orders. */
static void add_orders(const struct loop *loop, size_t size, struct str *answer)
{
	str_add_bytes(answer, (char *)loop->page.at + HENCE_ORDERS, size);
}

static struct hence_error *try_test(struct loop *loop, const struct str *message,
                                    struct str *answer, bool *stopped, struct trial_result *out)
{
	struct hence_error *error;

	server_page_patch(&loop->page, message);
	error = try(loop, loop->options->room.input, stopped, out);
	if (!error)
		add_orders(loop, message->length, answer);
	return error;
}

static struct hence_error *do_job(struct loop *loop, const struct str *message)
{
	struct trial_result result = {0};
	struct str answer = STR_INIT;
	struct hence_error *error;
	bool stopped = false;

	if (loop->options->kind == WORKER_EXPERIMENTS)
		error = try_experiment(loop, message, &answer, &stopped, &result);
	else if (loop->options->kind == WORKER_TESTS)
		error = try_test(loop, message, &answer, &stopped, &result);
	else
		error = try_input(loop, message, &answer, &stopped, &result);
	if (!error && loop->options->orders)
		add_orders(loop, loop->options->orders->length, &answer);
	if (!error && !stopped)
		report(loop, &result, &answer);
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

static void send_error(struct loop *loop, struct hence_error *error)
{
	struct str bytes = STR_INIT;
	uint32_t kind = error->kind;

	str_add_bytes(&bytes, &kind, sizeof(kind));
	str_add(&bytes, error->message);
	message_send(loop->socket, MESSAGE_ERROR, bytes.text, bytes.length);
	str_deinit(&bytes);
	error_destroy(error);
}

void worker_loop(const struct worker_options *options, int socket)
{
	struct loop loop = {.options = options, .socket = socket, .next = NEXT_GO_ON};
	struct hence_error *error = set_up(&loop);

	if (!error && !message_send(socket, MESSAGE_READY, NULL, 0))
		loop.next = NEXT_ORPHAN;
	if (!error)
		error = work(&loop);
	if (error)
		send_error(&loop, error);
	worker_server_stop(&loop.server);
	worker_points_stop(&loop.points);
	/* Our end of the socket is closed last: it tells hence that all is gone. */
	if (loop.next == NEXT_ORPHAN)
		trial_scratch_leave(options->scratch, options->room.part);
	else
		trial_scratch_remove(options->room.part);
	_exit(0);
}
