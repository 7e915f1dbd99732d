/* A fork server: see server.h. */
#include "trial/server.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/child_stack.h"
#include "base/mem.h"
#include "run/process_memory.h"
#include "run/processes.h"
#include "run/launch.h"
#include "runtime/edit_image.h"
#include "runtime/orders.h"
#include "trial/trial.h"
#include "trial/trial_crash.h"

struct server {
	struct server *next;         /* of all that live in this process */
	struct server *root;         /* that was started; has page and streams. Itself, or NULL */
	uint32_t number;             /* of the orders that it waits for */
	uint64_t numbers;            /* of a root: those that snapshots have, as bits */
	pid_t pid;                   /* of the waiting program; 0: it has ended */
	struct server_page shared;   /* with it */
	struct hence_server *page;   /* the same */
	uint64_t rails;              /* serial of those that are there; 0: none */
	int input;                   /* standard input as we write it; -1: there is none */
	int given;                   /* and as the program reads it: the offset is shared */
	int output, message;         /* standard output, standard error */
	int nothing;                 /* /dev/null */
	bool words;                  /* trials get arguments and environment from us */
	bool edits;                  /* it has edited code */
	bool fixed;                  /* the environment is to be used as it is */
	struct str prefix;           /* its output before it waited */
	struct str said;             /* the same of standard error */
	struct crash_cache *crashes; /* places of crashes that were seen */
	struct str name;             /* argv[0] */
	VEC(char *) environment;     /* without variables of the input */
	sigset_t mask;               /* signal mask of the program */
	sigset_t waiting;            /* signal mask to wait with */
};

/* One wait: for the start of the server, or for a trial. */
struct server_watch {
	struct server *server;
	struct processes processes; /* that are traced; the first is the one waited for */
	double deadline;            /* 0: none */
	int cancel;
	bool late;              /* the deadline has come */
	bool stuck;             /* and long ago */
	bool stopped;           /* the first process ended after the deadline */
	bool snapshot;          /* the first process is to become a server */
	bool cancelled;         /* somebody wants it to end */
	bool ready;             /* the server told something */
	struct crash_last last; /* signal of the first process */
};

/* ------ waiting for a traced program ------ */

/* What waitpid() reports is handled here, with a deadline and a descriptor that ends the wait. Events wake us by SIGCHLD, which is blocked but while we sleep, so none is missed. */

#define GRACE       5.0 /* seconds after the deadline; then the server is stuck */
#define MOST_LIVING 256 /* processes of one trial */

static struct server *servers; /* all of this process */

/* --- signals --- */

static void woken(int number)
{
	(void)number;
}

/* What SIGCHLD did before the first server was there. */
static struct sigaction child_before;
static sigset_t mask_before;

/* Servers that live in this process: what waitpid() tells of one may come while another is waited
   for. SIGCHLD is ours from the first to the last. */
static void server_enlist(struct server *server)
{
	if (!servers) {
		struct sigaction action = {.sa_handler = woken};
		sigset_t child;

		sigemptyset(&child);
		sigaddset(&child, SIGCHLD);
		sigprocmask(SIG_BLOCK, &child, &mask_before);
		sigaction(SIGCHLD, &action, &child_before);
		/* Orphans of a trial become ours, so that nothing is left of them when they are
		   reaped. */
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	}
	server->mask = mask_before;
	server->waiting = mask_before;
	sigdelset(&server->waiting, SIGCHLD);
	server->next = servers;
	servers = server;
}

/* --- events --- */

static struct process *first_of(struct server_watch *watch)
{
	return watch->processes.list.size ? &watch->processes.list.at[0] : NULL;
}

static uint32_t count_living(const struct server_watch *watch)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < watch->processes.list.size; i++)
		count += !watch->processes.list.at[i].ended;
	return count;
}

static bool must_end(struct server_watch *watch)
{
	struct process *first = first_of(watch);

	return watch->late || watch->cancelled || watch->server->page->cut ||
	       (first && first->ended) || (watch->ready && watch->processes.list.size > 1) ||
	       !watch->server->pid;
}

static struct server *find_server(pid_t pid)
{
	for (struct server *server = servers; server; server = server->next)
		if (server->pid == pid)
			return server;
	return NULL;
}

/* Did the program stop to tell us something? */
static bool tells(const struct server_watch *watch, int status)
{
	const struct hence_server *page = watch->server->page;

	return WIFSTOPPED(status) && !(status >> 16) && WSTOPSIG(status) == SIGSTOP &&
	       (page->state == HENCE_SERVER_WAITING || page->state == HENCE_SERVER_EARLY);
}

static void handle(struct server_watch *watch, pid_t pid, int status)
{
	struct server *server = find_server(pid);
	struct process *first = first_of(watch);

	if (server && (server != watch->server || !first || first->pid != pid)) {
		/* A server that waits: it only gets signals. */
		if (!WIFSTOPPED(status))
			server->pid = 0;
		else
			ptrace(PTRACE_CONT, server->pid, 0, status >> 16 ? 0 : WSTOPSIG(status));
	} else if (server && tells(watch, status)) {
		watch->ready = true;
		ptrace(PTRACE_CONT, pid, 0, 0);
	} else if (watch->snapshot && first && first->pid == pid && tells(watch, status)) {
		watch->ready = true;
		ptrace(PTRACE_CONT, pid, 0, 0);
	} else if (WIFSTOPPED(status)) {
		if (!watch->processes.list.size) {
			/* Something that outlived an earlier trial. */
			if (pid != watch->server->page->child) {
				kill(pid, SIGKILL);
				ptrace(PTRACE_CONT, pid, 0, 0);
				return;
			}
			processes_add(&watch->processes, pid)->programs = 1;
		}
		/* A crash of what is being killed may be seen half: it is not to be remembered. */
		if (!crash_stopped(must_end(watch) ? NULL : watch->server->crashes,
		                   &watch->processes, first_of(watch)->pid, pid, status,
		                   &watch->last))
			tracee_stopped(&watch->processes, pid, status);
		if (watch->processes.list.size > MOST_LIVING && count_living(watch) > MOST_LIVING)
			watch->late = true;
	} else {
		struct process *process = processes_find(&watch->processes, pid);

		if (process && !process->ended) {
			process->ended = true;
			if (process == first_of(watch))
				watch->stopped = watch->late;
			process->outcome.kind =
				WIFSIGNALED(status) ? OUTCOME_SIGNALLED : OUTCOME_EXITED;
			if (WIFSIGNALED(status))
				process->outcome.signal = WTERMSIG(status);
			else
				process->outcome.status = WEXITSTATUS(status);
		}
		if (server)
			server->pid = 0;
	}
}

/* --- waiting --- */

/* Nothing more to wait for: everything has ended, or the server is ready. */
static bool is_over(const struct server_watch *watch)
{
	if (watch->ready && watch->processes.list.size == 1)
		return true;
	if (!watch->processes.list.size)
		return !watch->server->pid;
	return !count_living(watch);
}

/* Sleeps until something happens. */
static void sleep_for_event(struct server_watch *watch)
{
	struct pollfd fd = {.fd = watch->cancel, .events = POLLIN | POLLRDHUP};
	bool timed = watch->deadline > 0 && !watch->stuck;
	double end = watch->deadline + (watch->late ? GRACE : 0);
	double left = end - budget_clock();
	struct timespec time = {0};

	if (timed && left > 0) {
		time.tv_sec = (time_t)left;
		time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
	}
	if (watch->cancelled)
		fd.fd = -1;
	if (ppoll(&fd, 1, timed ? &time : NULL, &watch->server->waiting) > 0)
		watch->cancelled = true;
	if (timed && budget_clock() >= end) {
		watch->stuck = watch->late;
		watch->late = true;
	}
}

/* Waits until the first process has ended or the server has told something; at the deadline, or
   when somebody wants so, ends everything first. Then no process of the watch lives, but a
   server that is ready. */
static void server_wait(struct server_watch *watch)
{
	for (;;) {
		int status;
		pid_t pid;

		while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
			handle(watch, pid, status);
		/* No child at all: nobody is left to wait for. */
		if (pid < 0 && errno == ECHILD)
			watch->server->pid = 0;
		if (is_over(watch))
			return;
		if (must_end(watch)) {
			struct process *first = first_of(watch);

			/* The group first, at one stroke: who forks in a loop does not escape. */
			if (first && !first->ended)
				kill(-first->pid, SIGKILL);
			for (uint32_t i = 0; i < watch->processes.list.size; i++)
				if (!watch->processes.list.at[i].ended)
					kill(watch->processes.list.at[i].pid, SIGKILL);
			if (watch->stuck && watch->server->pid)
				kill(watch->server->pid, SIGKILL);
		}
		sleep_for_event(watch);
	}
}

/* ------ experiments of a fork server ------ */

/* Snapshots, and runs that are told to change something. */

#define MOST_PREFIX (64u << 20) /* bytes of output that a snapshot may have before it */

static void *orders_of(const struct server *server)
{
	return (char *)server->page + HENCE_ORDERS;
}

static struct hence_error *server_rewind(struct server *server, const struct str *bytes);
static void server_order(struct server *server, enum hence_command command, uint64_t work);

/* Puts everything in place and lets the server fork. */
static struct hence_error *command(struct server_watch *watch, enum hence_command what,
                                   const struct str *orders, const struct server_limits *limits)
{
	struct server *server = watch->server;
	struct hence_error *error;

	if (orders->length > HENCE_ORDERS_ROOM)
		return error_create(HENCE_ERROR_INPUT,
		                    "an experiment needs %zu MB for its changes and readings; "
		                    "there is room for %u MB",
		                    orders->length >> 20, HENCE_ORDERS_ROOM >> 20);
	error = server_rewind(server, NULL);
	if (error)
		return error;
	memcpy(orders_of(server), orders->text, orders->length);
	watch->deadline = limits->seconds > 0 ? budget_clock() + limits->seconds : 0;
	watch->cancel = limits->cancel;
	if (!server->pid)
		return NULL;
	server_order(server, what, limits->work);
	server_wait(watch);
	return NULL;
}

static struct hence_error *server_result(struct server_watch *watch,
                                         const struct server_limits *limits, double begin,
                                         struct trial_result *out);

struct hence_error *server_experiment(struct server *from, struct str *orders,
                                      const struct server_limits *limits, struct trial_result *out)
{
	struct server_watch watch = {.server = from};
	double begin = budget_clock();
	struct hence_error *error = command(&watch, HENCE_COMMAND_EXPERIMENT, orders, limits);

	if (!error)
		error = server_result(&watch, limits, begin, out);
	if (!error)
		memcpy(orders->text, orders_of(from), orders->length);
	processes_deinit(&watch.processes);
	return error;
}

void server_give_rails(struct server *server, const struct hence_rails *rails)
{
	if (server->rails == rails->serial)
		return;
	memcpy((char *)server->page + HENCE_RAILS, rails, rails->size);
	server->rails = rails->serial;
}

/* A number that no other snapshot of the same program has; 0: there are too many. */
static uint32_t free_number(const struct server *root)
{
	for (uint32_t number = 1; number < HENCE_SNAPSHOTS; number++)
		if (!(root->numbers >> number & 1))
			return number;
	return 0;
}

static void read_stream(int file, size_t limit, struct str *out);

static bool is_too_long(const struct server *server)
{
	struct stat info;

	return fstat(server->root->output, &info) || info.st_size > MOST_PREFIX ||
	       fstat(server->root->message, &info) || info.st_size > MOST_PREFIX;
}

struct hence_error *server_snapshot(struct server *from, const struct str *orders,
                                    const struct server_limits *limits, struct server **out)
{
	struct server_watch watch = {.server = from, .snapshot = true};
	struct server *server = NULL;
	struct hence_error *error;

	from->page->snapshot = free_number(from->root);
	from->page->state = HENCE_SERVER_STARTED;
	error = from->page->snapshot ? command(&watch, HENCE_COMMAND_SNAPSHOT, orders, limits)
	                             : NULL;
	if (!error && watch.ready && watch.processes.list.size == 1 &&
	    !watch.processes.list.at[0].ended) {
		struct server *root = from->root;

		/* The process that has come to the point becomes a server of its own. */
		server = mem_alloc(sizeof(*server));
		*server = (struct server){.root = root,
		                          .number = root->page->snapshot,
		                          .pid = watch.processes.list.at[0].pid,
		                          .page = root->page,
		                          .crashes = root->crashes};
		server_enlist(server);
		root->numbers |= 1ull << server->number;
		read_stream(root->output, 0, &server->prefix);
		read_stream(root->message, 0, &server->said);
	}
	from->page->state = HENCE_SERVER_WAITING;
	processes_deinit(&watch.processes);
	if (server && is_too_long(server)) {
		server_stop(server);
		server = NULL;
	}
	if (!error)
		*out = server;
	return error;
}

uint64_t server_memory(const struct server *server)
{
	char text[4096];
	const char *at;

	process_memory_text(server->pid, "smaps_rollup", text, sizeof(text));
	at = strstr(text, "\nPss:");
	return at ? strtoull(at + 5, NULL, 10) << 10 : 0;
}

/* ------ arguments and environment of a trial, as arrays for an exec and as bytes for a fork ------ */

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Read by the dynamic linker and libc before anything of the program runs. */
static bool server_input_needs_exec(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind == INPUT_VARIABLE && part->varied &&
		    (begins(part->name, "LD_") || begins(part->name, "MALLOC_") ||
		     begins(part->name, "GLIBC_")))
			return true;
	}
	return false;
}

/* Is this entry of an environment a variable of the input? */
static bool server_input_has(const struct input *input, const char *entry)
{
	size_t length = strcspn(entry, "=");

	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind == INPUT_VARIABLE && strlen(part->name) == length &&
		    !memcmp(part->name, entry, length))
			return true;
	}
	return false;
}

/* argv and environ of an input, as an array that ends with NULL; `extra` is one more entry for
   the environment, NULL: none. Caller frees the array and its strings with server_free_words().
   */
static char **server_argv(const struct server *server, const struct input *input)
{
	VEC(char *) words = VEC_INIT;

	*vec_push(&words) = mem_strdup(str_text(&server->name));
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_ARGUMENT)
			*vec_push(&words) = mem_strdup(str_text(&input->parts.at[i].bytes));
	vec_push(&words);
	return words.at;
}

static char **server_environment(const struct server *server, const struct input *input,
                                 const char *extra)
{
	VEC(char *) words = VEC_INIT;

	for (uint32_t i = 0; i < server->environment.size; i++)
		*vec_push(&words) = mem_strdup(server->environment.at[i]);
	for (uint32_t i = 0; i < input->parts.size && !server->fixed; i++)
		if (input->parts.at[i].kind == INPUT_VARIABLE && !input->parts.at[i].unset)
			*vec_push(&words) = str_format("%s=%s", input->parts.at[i].name,
			                               str_text(&input->parts.at[i].bytes));
	if (extra)
		*vec_push(&words) = mem_strdup(extra);
	vec_push(&words);
	return words.at;
}

static void server_free_words(char **words)
{
	for (char **at = words; *at; at++)
		free(*at);
	free(words);
}

/* Appends the words to what lies in the page; false: there is no room. */
static bool append(struct server *server, char **words, uint32_t *count)
{
	struct hence_server *page = server->page;
	char *base = (char *)page + HENCE_SERVER_WORDS;

	for (*count = 0; words[*count]; ++*count) {
		size_t size = strlen(words[*count]) + 1;

		if (size > HENCE_SERVER_ROOM - page->words)
			return false;
		memcpy(base + page->words, words[*count], size);
		page->words += size;
	}
	return true;
}

/* ------ starts the program that will be a server ------ */

/* As start.c does, but confined, and with files of ours. */

struct child {
	const struct server_options *options;
	const struct server *server;
	char **argv, **environment;
	int go[2];     /* a byte says that it is traced */
	int failed[2]; /* errno of what failed */
	void *stack;   /* until its exec */
};

static bool place_streams(const struct server *server)
{
	int input = server->given >= 0 ? server->given : server->nothing;

	return dup2(input, 0) >= 0 && dup2(server->output, 1) >= 0 &&
	       dup2(server->message, 2) >= 0 && !fcntl(server->shared.file, F_SETFD, 0);
}

/* Makes system calls only: it shares our memory, as that of trial_exec.c does, and for the same reason. */
static int run_child(void *data)
{
	struct child *child = data;
	const struct server_options *options = child->options;
	int reason = 0;
	char go;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(child->go[1]);
	if (read(child->go[0], &go, 1) != 1)
		syscall(SYS_exit_group, 127);
	setpgid(0, 0);
	if (!place_streams(child->server) || (options->directory && chdir(options->directory)))
		reason = errno;
	if (!reason) {
		sigprocmask(SIG_SETMASK, &child->server->mask, NULL);
		reason = options->confine ? options->confine(options->confinement) : 0;
	}
	if (!reason) {
		execve(options->path, child->argv, child->environment);
		reason = errno;
	}
	syscall(SYS_exit_group, write(child->failed[1], &reason, sizeof(reason)) < 0 ? 126 : 127);
	return 0;
}

static struct hence_error *launch(struct child *child, struct server *server, bool *traced)
{
	const char *path = child->options->path;
	int before;

	child->stack = child_stack_create();
	if (!child->stack || pipe2(child->go, O_CLOEXEC) || pipe2(child->failed, O_CLOEXEC))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make a pipe");
	/* Without randomisation: addresses are then those of any other run. */
	before = personality(0xffffffff);
	personality((unsigned long)before | ADDR_NO_RANDOMIZE);
	server->pid = clone(run_child, child_stack_top(child->stack), CLONE_VM | SIGCHLD, child);
	personality((unsigned long)before);
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

/* ------ memory that is shared with a program ------ */

struct hence_error *server_page_init(bool orders, struct server_page *out)
{
	size_t size = HENCE_ORDERS + (orders ? HENCE_ORDERS_ROOM + (size_t)HENCE_RAILS_ROOM : 0);
	int file = memfd_create("hence server", MFD_CLOEXEC);
	void *at = MAP_FAILED;
	struct hence_error *error;

	if (file >= 0 && !ftruncate(file, (off_t)size))
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
	if (at == MAP_FAILED) {
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot make shared memory");
		if (file >= 0)
			close(file);
		return error;
	}
	*out = (struct server_page){file, size, at};
	memcpy(out->at->magic, HENCE_SRV_MAGIC, 8);
	out->at->protocol = HENCE_PROTOCOL;
	return NULL;
}

void server_page_deinit(struct server_page *page)
{
	if (!page->at)
		return;
	munmap(page->at, page->size);
	close(page->file);
	*page = (struct server_page){.file = -1};
}

void server_page_patch(struct server_page *page, const struct str *orders)
{
	assert(HENCE_ORDERS + orders->length <= page->size);
	page->at->wait = HENCE_WAIT_PATCHED;
	memcpy((char *)page->at + HENCE_ORDERS, orders->text, orders->length);
}

void server_page_load(struct server_page *page, const char *image)
{
	assert(strlen(image) < sizeof(page->at->image));
	memcpy(page->at->image, image, strlen(image) + 1);
}

void server_page_edit(struct server_page *page, const struct trial_edit *edit)
{
	if (!page->at)
		return;
	page->at->edit = edit->number;
	memset((struct hence_scout *)((char *)page->at + HENCE_SCOUTS) + edit->first, 0,
	       edit->count * sizeof(struct hence_scout));
}

void server_page_scouts(const struct server_page *page, const struct trial_edit *edit,
                        struct str *out)
{
	str_add_bytes(out, (struct hence_scout *)((char *)page->at + HENCE_SCOUTS) + edit->first,
	              edit->count * sizeof(struct hence_scout));
}

void server_page_reset(struct server_page *page, uint64_t limit)
{
	page->at->limit = limit;
	page->at->work = 0;
	page->at->cut = 0;
}

/* ------ the whole ------ */

#define START 10.0 /* seconds */

/* --- files --- */

static const struct str *stdin_of(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			return &input->parts.at[i].bytes;
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

/* Makes it hold just these bytes, with what is written next behind them. */
static bool rewind_stream(int fd, const struct str *prefix)
{
	off_t size = (off_t)prefix->length;

	return write_all(fd, prefix, 0) && !ftruncate(fd, size) &&
	       lseek(fd, size, SEEK_SET) == size && !fcntl(fd, F_SETFL, 0);
}

/* An earlier trial has moved the offsets and may have changed flags. Who waits for experiments puts
   its own offsets right, where it has other descriptors too. */
static struct hence_error *server_rewind(struct server *server, const struct str *bytes)
{
	const struct server *root = server->root;
	bool good = true;

	if (root->input >= 0 && bytes)
		good = write_all(root->input, bytes, 0) &&
		       !ftruncate(root->input, (off_t)bytes->length) &&
		       !lseek(root->given, 0, SEEK_SET) && !fcntl(root->given, F_SETFL, 0);
	good = good && rewind_stream(root->output, &server->prefix) &&
	       rewind_stream(root->message, &server->said);
	return good ? NULL : error_from_errno(HENCE_ERROR_INTERNAL, "cannot write files in memory");
}

/* What is in a stream, up to `limit` bytes (0: all). */
static void read_stream(int file, size_t limit, struct str *out)
{
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
	bool traced = false;
	int failed = -1;
	struct child child = {
		.options = options,
		.server = server,
		.go = {-1, -1},
		.failed = {-1, -1},
	};
	char *variable = str_format(HENCE_SERVER_ENV "=%010d", server->shared.file);
	int reason = 0;
	ssize_t got;

	/* Forks and executes the program, traced; `failed` is a pipe that brings the reason of a
	   failed exec. */
	child.argv = server_argv(server, options->input);
	child.environment = server_environment(server, options->input, variable);
	error = launch(&child, server, &traced);
	if (!error) {
		failed = child.failed[0];
		child.failed[0] = -1;
	}
	close_pipe(child.go);
	close_pipe(child.failed);
	if (!error) {
		processes_add(&watch.processes, server->pid);
		watch.deadline = budget_clock() + (options->seconds > 0 ? options->seconds : START);
		server_wait(&watch);
	}
	/* It has executed the program, or has ended. */
	server_free_words(child.argv);
	server_free_words(child.environment);
	free(variable);
	child_stack_destroy(child.stack);
	if (error)
		return error;
	got = read(failed, &reason, sizeof(reason));
	close(failed);
	if (got != sizeof(reason)) {
		error = NULL;
	} else {
		errno = reason;
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot run %s", options->name);
	}
	*why = traced ? find_fault(server, &watch) : "it may not be traced here";
	processes_deinit(&watch.processes);
	read_stream(server->output, 0, &server->prefix);
	read_stream(server->message, 0, &server->said);
	return error;
}

struct hence_error *server_start(const struct server_options *options, struct server **out,
                                 const char **why)
{
	static const struct str empty;
	const struct str *input = stdin_of(options->input);
	char *const *entry = options->environment ? options->environment : environ;
	struct server *server = mem_alloc(sizeof(*server));
	const char *fault = NULL;
	struct hence_error *error;

	*server = (struct server){.input = -1,
	                          .given = -1,
	                          .output = -1,
	                          .message = -1,
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
	error = server_page_init(server->fixed || server->edits, &server->shared);
	if (!error)
		server->page = server->shared.at;
	if (!error) {
		char path[64];

		/* The program may only read its input: it gets the file opened a second time. */
		server->nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
		server->output = memfd_create("stdout", MFD_CLOEXEC);
		server->message = memfd_create("stderr", MFD_CLOEXEC);
		if (input) {
			server->input = memfd_create("stdin", MFD_CLOEXEC);
			snprintf(path, sizeof(path), "/proc/self/fd/%d", server->input);
			server->given = open(path, O_RDONLY | O_CLOEXEC);
		}
		if (server->nothing < 0 || server->output < 0 || server->message < 0 ||
		    (input && server->given < 0))
			error = error_from_errno(HENCE_ERROR_INTERNAL,
			                         "cannot make files in memory");
	}
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

void server_stop(struct server *server)
{
	struct server **at;
	struct server_watch watch;

	if (!server)
		return;
	watch = (struct server_watch){.server = server, .cancel = -1, .cancelled = true};
	if (server->pid) {
		processes_add(&watch.processes, server->pid);
		server_wait(&watch);
		processes_deinit(&watch.processes);
	}
	at = &servers;
	while (*at != server)
		at = &(*at)->next;
	*at = server->next;
	if (!servers) {
		sigaction(SIGCHLD, &child_before, NULL);
		if (!sigismember(&mask_before, SIGCHLD)) {
			sigset_t child;

			sigemptyset(&child);
			sigaddset(&child, SIGCHLD);
			sigprocmask(SIG_UNBLOCK, &child, NULL);
		}
	}
	if (server->root != server) {
		server->root->numbers &= ~(1ull << server->number);
		str_deinit(&server->prefix);
		str_deinit(&server->said);
		free(server);
		return;
	}
	server_page_deinit(&server->shared);
	close_file(server->input);
	close_file(server->given);
	close_file(server->output);
	close_file(server->message);
	close_file(server->nothing);
	for (uint32_t i = 0; i < server->environment.size; i++)
		free(server->environment.at[i]);
	vec_deinit(&server->environment);
	crash_cache_destroy(server->crashes);
	str_deinit(&server->prefix);
	str_deinit(&server->said);
	str_deinit(&server->name);
	free(server);
}

/* --- trials --- */

/* Tells the server to do something. */
static void server_order(struct server *server, enum hence_command command, uint64_t work)
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

static struct hence_error *lost(const struct server *server)
{
	return error_create(HENCE_ERROR_INTERNAL,
	                    server->page->state == HENCE_SERVER_FAILED
	                            ? "%s, waiting as a server, could not fork"
	                            : "%s, waiting as a server, has ended",
	                    str_text(&server->root->name));
}

/* How a trial went, from what was seen; an error if the server is gone. */
static struct hence_error *server_result(struct server_watch *watch,
                                         const struct server_limits *limits, double begin,
                                         struct trial_result *out)
{
	struct process *first;

	if (!watch->server->pid || !watch->processes.list.size)
		return lost(watch->server);
	/* How the trial went, from what was seen. */
	first = &watch->processes.list.at[0];
	*out = (struct trial_result){.test = -1};
	out->cut = watch->server->page->cut != 0 && !watch->cancelled;
	if (!watch->cancelled) {
		out->outcome = first->outcome;
		first->outcome = (struct outcome){0};
	}
	if (was_stopped(watch, &out->outcome)) {
		if (out->outcome.kind == OUTCOME_SIGNALLED && out->outcome.signal == SIGXFSZ)
			out->limit = TRIAL_FILE_SIZE;
		outcome_deinit(&out->outcome);
		out->outcome.kind = OUTCOME_TIMED_OUT;
	}
	if (out->outcome.kind == OUTCOME_SIGNALLED)
		out->pc = crash_last_pc(&watch->last, &first->fault, out->outcome.signal);
	read_stream(watch->server->root->output, limits->output, &out->output);
	read_stream(watch->server->root->message, TRIAL_MOST_MESSAGE, &out->message);
	out->seconds = budget_clock() - begin;
	return NULL;
}

struct hence_error *server_try(struct server *server, const struct input *input,
                               const struct server_limits *limits, struct trial_result *out)
{
	static const struct str empty;
	struct server_watch watch = {.server = server, .cancel = limits->cancel};
	const struct str *bytes = stdin_of(input);
	struct hence_error *error = server_rewind(server, bytes ? bytes : &empty);
	double begin = budget_clock();

	if (!error && server->words) {
		char **argv = server_argv(server, input);
		char **environment = server_environment(server, input, NULL);
		bool fits;

		server->page->words = 0;
		fits = append(server, argv, &server->page->argc) &&
		       append(server, environment, &server->page->envc);
		server_free_words(argv);
		server_free_words(environment);
		if (!fits)
			error = error_create(HENCE_ERROR_INPUT,
			                     "the arguments and variables for %s are too long",
			                     str_text(&server->name));
	}
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
