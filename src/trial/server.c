/* A fork server: see server.h. This is its start and end, and one trial; the waiting is in
   server_wait.c. */
#include "trial/server.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "trial/server_work.h"

#define START 10.0 /* seconds */

/* --- files --- */

static struct hence_error *make_page(struct server *server)
{
	struct hence_error *error =
		server_page_init(server->fixed || server->edits, &server->shared);

	if (!error)
		server->page = server->shared.at;
	return error;
}

static const struct str *stdin_of(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			return &input->parts.at[i].bytes;
	return NULL;
}

/* The program may only read its input: it gets the file opened a second time. */
static struct hence_error *make_streams(struct server *server, bool input)
{
	char path[64];

	server->nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	server->output = memfd_create("stdout", MFD_CLOEXEC);
	if (input) {
		server->input = memfd_create("stdin", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", server->input);
		server->given = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (server->nothing < 0 || server->output < 0 || (input && server->given < 0))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make files in memory");
	return NULL;
}

static bool write_all(int fd, const struct str *bytes, off_t at)
{
	for (size_t done = 0; done < bytes->length;) {
		ssize_t n = pwrite(fd, bytes->text + done, bytes->length - done, at + (off_t)done);

		if (n < 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

/* An earlier trial has moved the offsets and may have changed flags. Who waits for experiments puts
   its own offsets right, where it has other descriptors too. */
struct hence_error *server_rewind(struct server *server, const struct str *bytes)
{
	const struct server *root = server->root;
	off_t prefix = (off_t)server->prefix.length;
	bool good = true;

	if (root->input >= 0 && bytes)
		good = write_all(root->input, bytes, 0) &&
		       !ftruncate(root->input, (off_t)bytes->length) &&
		       !lseek(root->given, 0, SEEK_SET) && !fcntl(root->given, F_SETFL, 0);
	good = good && write_all(root->output, &server->prefix, 0) &&
	       !ftruncate(root->output, prefix) &&
	       lseek(root->output, prefix, SEEK_SET) == prefix && !fcntl(root->output, F_SETFL, 0);
	return good ? NULL : error_from_errno(HENCE_ERROR_INTERNAL, "cannot write files in memory");
}

void server_read_output(const struct server *server, size_t limit, struct str *out)
{
	int file = server->root->output;
	struct stat info;
	size_t size = fstat(file, &info) ? 0 : (size_t)info.st_size;

	if (limit && size > limit)
		size = limit;
	if (!size)
		return;
	*out = (struct str){.text = mem_alloc(size + 1), .room = size + 1};
	while (out->length < size) {
		ssize_t n = pread(file, out->text + out->length, size - out->length,
		                  (off_t)out->length);

		if (n <= 0)
			break;
		out->length += (size_t)n;
	}
	out->text[out->length] = '\0';
}

/* --- start --- */

static uint32_t choose_wait(const struct server *server, const struct input *input)
{
	if (server->fixed)
		return HENCE_WAIT_START;
	if (server->edits)
		return HENCE_WAIT_MAIN;
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->varied && (part->kind == INPUT_ARGUMENT || part->kind == INPUT_VARIABLE))
			return HENCE_WAIT_MAIN;
	}
	return HENCE_WAIT_INPUT;
}

static struct server *create(const struct server_options *options)
{
	char *const *entry = options->environment ? options->environment : environ;
	struct server *server = mem_alloc(sizeof(*server));

	*server = (struct server){.input = -1,
	                          .given = -1,
	                          .output = -1,
	                          .nothing = -1,
	                          .root = server,
	                          .edits = options->image,
	                          .fixed = options->experiments};
	str_add(&server->name, options->name);
	for (; *entry; entry++)
		if (server->fixed || !server_input_has(options->input, *entry))
			*vec_push(&server->environment) = mem_strdup(*entry);
	server->crashes = crash_cache_create();
	server_enlist(server);
	if (options->mask)
		server->mask = *options->mask;
	return server;
}

static struct hence_error *check_exec(int failed, const struct server_options *options)
{
	int reason = 0;
	ssize_t got = read(failed, &reason, sizeof(reason));

	close(failed);
	if (got != sizeof(reason))
		return NULL;
	errno = reason;
	return error_from_errno(HENCE_ERROR_INPUT, "cannot run %s", options->name);
}

/* Why it is no server; NULL: it is. */
static const char *find_fault(const struct server *server, const struct server_watch *watch)
{
	uint32_t state = server->page->state;

	if (watch->processes.list.size > 1)
		return "it starts processes or threads before main";
	if (watch->cancelled)
		return "it was stopped while it started";
	if (watch->late)
		return "it takes too long to start";
	if (state == HENCE_SERVER_NEW)
		return "it was not built with this version of hence cc";
	if (state == HENCE_SERVER_EARLY)
		return "its own code runs before main, or its main was not built with hence cc";
	if (!watch->ready || !server->pid)
		return "it ended before it could read anything";
	if (server->given >= 0 && lseek(server->given, 0, SEEK_CUR) != 0)
		return "it read its input in a way that was not noticed";
	return NULL;
}

static struct hence_error *start(struct server *server, const struct server_options *options,
                                 const char **why)
{
	struct server_watch watch = {.server = server,
	                             .cancel = options->cancel > 0 ? options->cancel : -1};
	struct hence_error *error;
	bool traced;
	int failed;

	error = server_launch(server, options, &failed, &traced);
	if (error)
		return error;
	processes_add(&watch.processes, server->pid);
	watch.deadline = server_now() + (options->seconds > 0 ? options->seconds : START);
	server_wait(&watch);
	error = check_exec(failed, options);
	*why = traced ? find_fault(server, &watch) : "it may not be traced here";
	processes_deinit(&watch.processes);
	server_read_output(server, 0, &server->prefix);
	return error;
}

struct hence_error *server_start(const struct server_options *options, struct server **out,
                                 const char **why)
{
	static const struct str empty;
	const struct str *input = stdin_of(options->input);
	struct server *server = create(options);
	const char *fault = NULL;
	struct hence_error *error;

	error = make_page(server);
	if (!error)
		error = make_streams(server, input);
	if (!error)
		error = server_rewind(server, input ? input : &empty);
	if (!error && !server->fixed && server_input_needs_exec(options->input)) {
		fault = "a varied variable takes effect when a program starts";
	} else if (!error) {
		server->page->wait = choose_wait(server, options->input);
		server->page->tape = options->tape;
		if (options->image)
			server_page_load(&server->shared, options->image);
		server->words = server->page->wait == HENCE_WAIT_MAIN;
		error = start(server, options, &fault);
	}
	if (error || fault) {
		server_stop(server);
		server = NULL;
	}
	if (error)
		return error;
	*out = server;
	*why = fault;
	return NULL;
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void end_process(struct server *server)
{
	struct server_watch watch = {.server = server, .cancel = -1, .cancelled = true};

	if (!server->pid)
		return;
	processes_add(&watch.processes, server->pid);
	server_wait(&watch);
	processes_deinit(&watch.processes);
}

void server_stop(struct server *server)
{
	if (!server)
		return;
	end_process(server);
	server_delist(server);
	if (server->root != server) {
		server->root->numbers &= ~(1ull << server->number);
		str_deinit(&server->prefix);
		free(server);
		return;
	}
	server_page_deinit(&server->shared);
	close_file(server->input);
	close_file(server->given);
	close_file(server->output);
	close_file(server->nothing);
	for (uint32_t i = 0; i < server->environment.size; i++)
		free(server->environment.at[i]);
	vec_deinit(&server->environment);
	crash_cache_destroy(server->crashes);
	str_deinit(&server->prefix);
	str_deinit(&server->name);
	free(server);
}

/* --- trials --- */

void server_order(struct server *server, enum hence_command command, uint64_t work)
{
	struct hence_server *page = server->page;
	uint32_t *order = &page->order[server->number];

	server_page_reset(&server->root->shared, work);
	page->command = command;
	page->child = 0;
	__atomic_add_fetch(order, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, order, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* It would have gone on: what took too much time, work, output or processor time. */
static bool was_stopped(const struct server_watch *watch, const struct outcome *outcome)
{
	bool limit = outcome->kind == OUTCOME_SIGNALLED &&
	             (outcome->signal == SIGXFSZ || outcome->signal == SIGXCPU);

	return !watch->cancelled && (watch->stopped || watch->server->page->cut || limit);
}

/* How the trial went, from what was seen. */
static void fill_result(struct server_watch *watch, const struct server_limits *limits,
                        struct trial_result *out)
{
	struct process *first = &watch->processes.list.at[0];

	*out = (struct trial_result){.test = -1};
	out->cut = watch->server->page->cut != 0 && !watch->cancelled;
	if (!watch->cancelled) {
		out->outcome = first->outcome;
		first->outcome = (struct outcome){0};
	}
	if (was_stopped(watch, &out->outcome)) {
		outcome_deinit(&out->outcome);
		out->outcome.kind = OUTCOME_TIMED_OUT;
	}
	if (out->outcome.kind == OUTCOME_SIGNALLED)
		out->pc = crash_last_pc(&watch->last, &first->fault, out->outcome.signal);
	server_read_output(watch->server, limits->output, &out->output);
}

static struct hence_error *lost(const struct server *server)
{
	return error_create(HENCE_ERROR_INTERNAL,
	                    server->page->state == HENCE_SERVER_FAILED
	                            ? "%s, waiting as a server, could not fork"
	                            : "%s, waiting as a server, has ended",
	                    str_text(&server->root->name));
}

struct hence_error *server_result(struct server_watch *watch, const struct server_limits *limits,
                                  double begin, struct trial_result *out)
{
	if (!watch->server->pid || !watch->processes.list.size)
		return lost(watch->server);
	fill_result(watch, limits, out);
	out->seconds = server_now() - begin;
	return NULL;
}

struct hence_error *server_try(struct server *server, const struct input *input,
                               const struct server_limits *limits, struct trial_result *out)
{
	static const struct str empty;
	struct server_watch watch = {.server = server, .cancel = limits->cancel};
	const struct str *bytes = stdin_of(input);
	struct hence_error *error = server_rewind(server, bytes ? bytes : &empty);
	double begin = server_now();

	if (!error && server->words)
		error = server_give_words(server, input);
	if (error)
		return error;
	if (!server->pid)
		return lost(server);
	watch.deadline = limits->seconds > 0 ? begin + limits->seconds : 0;
	server_order(server, HENCE_COMMAND_RUN, limits->work);
	server_wait(&watch);
	error = server_result(&watch, limits, begin, out);
	processes_deinit(&watch.processes);
	return error;
}

void server_edit(struct server *server, const struct trial_edit *edit)
{
	if (server)
		server_page_edit(&server->shared, edit);
}

void server_scouts(const struct server *server, const struct trial_edit *edit, struct str *out)
{
	server_page_scouts(&server->shared, edit, out);
}

uint64_t server_work(const struct server *server)
{
	return server->page->work;
}
