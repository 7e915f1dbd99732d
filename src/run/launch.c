/* Starts a command and runs it to its end: see launch.h. */
#include "run/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/process_memory.h"
#include "runtime/protocol.h"

struct feed;

struct started {
	pid_t pid;
	bool traced;          /* false: ptrace is not permitted */
	bool fixed_addresses; /* false: the system insists on address randomisation */
	int failed;           /* a pipe that brings the reason of a failed exec */
};

/* ------ memory for tapes, ahead of time ------ */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define MOST_TAPES 64         /* that are fed: a script's thousandth process is a short one */
#define WORTH      (2u << 20) /* a tape smaller than this is not fed */
#define STEP       (4u << 20)
#define AHEAD      (96u << 20)

struct fed {
	int fd;
	const volatile struct hence_head *head;
	uint64_t size; /* of the file that has memory */
};

struct feed {
	pthread_t thread;
	char *session;
	const volatile struct hence_control *control;
	VEC(struct fed) tapes;
	volatile bool stop;
};

static const void *map_page(int fd)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	return page == MAP_FAILED ? NULL : page;
}

/* Looks for tapes that have been started since. */
static void find_tapes(struct feed *feed)
{
	while (feed->tapes.size < feed->control->tapes && feed->tapes.size < MOST_TAPES) {
		char *path = str_format("%s/%08u.tape", feed->session, feed->tapes.size);
		struct fed fed = {.fd = open(path, O_RDWR | O_CLOEXEC)};
		struct stat st;

		free(path);
		if (fed.fd < 0)
			return;
		/* Its first page is not there yet. */
		if (fstat(fed.fd, &st) || st.st_size < (off_t)HENCE_STREAM) {
			close(fed.fd);
			return;
		}
		fed.head = map_page(fed.fd);
		*vec_push(&feed->tapes) = fed;
	}
}

/* Gives memory to the next part of a tape. */
static bool extend(struct fed *fed, uint64_t limit)
{
	uint64_t size = limit - fed->size < STEP ? limit - fed->size : STEP;
	void *part =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fed->fd, (off_t)fed->size);
	bool done;

	if (part == MAP_FAILED)
		return false;
	done = !madvise(part, size, MADV_POPULATE_WRITE);
	munmap(part, size);
	fed->size += size;
	return done;
}

/* One step for one tape. False: nothing to do. */
static bool feed_tape(struct fed *fed)
{
	uint64_t have, ahead, limit;

	if (!fed->head || fed->head->state != HENCE_RECORDING)
		return false;
	have = fed->head->populated;
	limit = fed->head->limit & ~4095ull;
	ahead = have < AHEAD ? have : AHEAD;
	if (fed->size < have)
		fed->size = have;
	if (have < WORTH || fed->size >= have + ahead || fed->size >= limit)
		return false;
	if (!extend(fed, limit)) {
		munmap((void *)fed->head, 4096);
		fed->head = NULL; /* no room: the program will notice by itself */
	}
	return true;
}

static void *feed_all(void *argument)
{
	struct timespec nap = {.tv_nsec = 500000};
	struct feed *feed = argument;

	while (!feed->stop) {
		bool busy = false;

		find_tapes(feed);
		for (uint32_t i = 0; i < feed->tapes.size; i++)
			busy |= feed->control->budget > AHEAD && feed_tape(&feed->tapes.at[i]);
		if (!busy)
			nanosleep(&nap, NULL);
	}
	return NULL;
}

static const void *map_control(const char *session)
{
	char *path = str_format("%s/control", session);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const void *page = NULL;

	free(path);
	if (fd >= 0) {
		page = map_page(fd);
		close(fd);
	}
	return page;
}

/* Signals are for the thread that waits for the program. */
static bool start_thread(struct feed *feed)
{
	sigset_t all, old;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	started = !pthread_create(&feed->thread, NULL, feed_all, feed);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

/* Starts to feed the tapes of the session folder. NULL: not possible; the program then does the
   work itself. Caller frees with feed_stop(). */
static struct feed *feed_start(const char *session)
{
	struct feed *feed = mem_alloc(sizeof(*feed));

	feed->session = mem_strdup(session);
	feed->control = map_control(session);
	if (feed->control && start_thread(feed))
		return feed;
	free(feed->session);
	free(feed);
	return NULL;
}

/* ------ tracing with ptrace ------ */

bool tracee_attach(pid_t pid)
{
	long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
	               PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;

	return !ptrace(PTRACE_SEIZE, pid, 0, options);
}

/* glibc makes the stack canary and the pointer guard of these 16 bytes. Constants make them equal
   in all runs. */
static void fix_random(pid_t pid)
{
	static const char constant[16] = "hence:\1\2\3repeat";
	char bytes[4096];
	size_t size = process_memory_text(pid, "auxv", bytes, sizeof(bytes));

	for (size_t at = 0; at + sizeof(Elf64_auxv_t) <= size; at += sizeof(Elf64_auxv_t)) {
		Elf64_auxv_t entry;

		memcpy(&entry, bytes + at, sizeof(entry));
		if (entry.a_type == AT_RANDOM)
			process_memory_write(pid, entry.a_un.a_val, constant, sizeof(constant));
	}
}

/* The process that a thread belongs to; the thread itself when it is gone. */
static pid_t process_of(pid_t thread)
{
	char text[4096];
	const char *at;

	process_memory_text(thread, "status", text, sizeof(text));
	at = strstr(text, "\nTgid:");
	return at ? atoi(at + 6) : thread;
}

/* A new process or thread may report its first stop before its parent reports the fork. */
static struct process *find_or_add(struct processes *processes, pid_t thread)
{
	struct process *process = processes_find(processes, thread);
	pid_t pid;

	if (process && !process->ended)
		return process;
	pid = process_of(thread);
	process = processes_find(processes, pid);
	if (process && !process->ended)
		return process;
	process = processes_add(processes, pid);
	process->programs = 1;
	return process;
}

static bool stops(int number)
{
	return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

static void got_fork(struct processes *processes, pid_t thread)
{
	unsigned long child = 0;
	struct process *process;

	if (ptrace(PTRACE_GETEVENTMSG, thread, 0, &child) || !child)
		return;
	/* The child may have reported itself and even ended before. */
	process = processes_find(processes, (pid_t)child);
	if (!process || (process->ended && process->announced))
		process = find_or_add(processes, (pid_t)child);
	process->announced = true;
}

void tracee_stopped(struct processes *processes, pid_t thread, int status)
{
	struct process *process = find_or_add(processes, thread);
	int number = WSTOPSIG(status);
	int pass = 0;

	process->stopped = false;
	switch (status >> 16) {
	case PTRACE_EVENT_EXEC:
		fix_random(thread);
		process->programs++;
		break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE: got_fork(processes, thread); break;
	case PTRACE_EVENT_STOP:
		if (!stops(number))
			break;
		/* Job control: it stays stopped, but we hear of it when it goes on. */
		process->stopped = true;
		ptrace(PTRACE_LISTEN, thread, 0, 0);
		return;
	case 0:
		if (crash_is_deadly(thread, number))
			crash_note(process->pid, thread, number, &process->fault,
			           &process->outcome);
		else if (!stops(number))
			crash_note_fault(thread, number, &process->fault);
		pass = number;
		break;
	}
	ptrace(processes->calls ? PTRACE_SYSCALL : PTRACE_CONT, thread, 0, pass);
}

/* ------ starting a command ------ */

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

static struct hence_error *fork_child(const struct child *child, struct started *out)
{
	int before = personality(0xffffffff);
	pid_t id;

	out->fixed_addresses = personality((unsigned long)before | ADDR_NO_RANDOMIZE) >= 0;
	id = fork();
	if (id == 0) {
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

/* Starts it, with the signal mask `mask`. */
static struct hence_error *start_command(const struct launch_options *options, const sigset_t *mask,
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

/* ------ waiting for it ------ */

#define LINGER  2.0    /* seconds that other processes may run on after the first has ended */
#define GIVE_UP 5.0    /* seconds after SIGKILL */
#define LONGEST 3600.0 /* seconds to sleep at once */
#define NEVER   1e18

/* The waiting: what is known, and when to do what. */
struct wait {
	struct launch_result *result;
	sigset_t signals; /* that we wait for; all are blocked */
	double kill_at;   /* when to kill the tree */
	double give_up_at;
	bool timed; /* kill_at is the user's --timeout */
	bool killing;
	bool stop_wanted; /* the terminal asked the job to stop */
	int interrupts;
};

static double cpu_of_children(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static struct process *root_of(struct wait *wait)
{
	return &wait->result->processes.list.at[0];
}

static void kill_all(struct wait *wait)
{
	struct processes *processes = &wait->result->processes;

	if (!wait->killing)
		wait->give_up_at = budget_clock() + GIVE_UP;
	wait->killing = true;
	for (uint32_t i = 0; i < processes->list.size; i++)
		if (!processes->list.at[i].ended)
			kill(processes->list.at[i].pid, SIGKILL);
	if (!wait->result->traced) {
		/* Children that are not traced: orphans come to us, their subreaper. */
		char name[64], text[4096];
		char *at = text;

		snprintf(name, sizeof(name), "task/%d/children", getpid());
		process_memory_text(getpid(), name, text, sizeof(text));
		for (long pid; (pid = strtol(at, &at, 10)) > 0;)
			kill((pid_t)pid, SIGKILL);
	}
}

static void process_ended(struct wait *wait, pid_t pid, int status)
{
	struct process *process = processes_find(&wait->result->processes, pid);

	if (!process || process->ended)
		return;
	process->ended = true;
	process->outcome.kind = WIFSIGNALED(status) ? OUTCOME_SIGNALLED : OUTCOME_EXITED;
	if (WIFSIGNALED(status))
		process->outcome.signal = WTERMSIG(status);
	else
		process->outcome.status = WEXITSTATUS(status);
	if (process != root_of(wait))
		return;
	if (wait->killing && wait->timed)
		process->outcome.kind = OUTCOME_TIMED_OUT;
	if (!wait->killing && wait->kill_at > budget_clock() + LINGER) {
		wait->kill_at = budget_clock() + LINGER;
		wait->timed = false;
	}
}

static void handle_status(struct wait *wait, pid_t pid, int status)
{
	if (!WIFSTOPPED(status))
		process_ended(wait, pid, status);
	else if (wait->result->traced)
		tracee_stopped(&wait->result->processes, pid, status);
	else if (pid == root_of(wait)->pid)
		root_of(wait)->stopped = true;
	/* A process that was born while we were killing. */
	if (wait->killing)
		kill_all(wait);
}

/* Handles all that has happened; false: no process is left. */
static bool collect(struct wait *wait)
{
	int flags = WNOHANG | __WALL | (wait->result->traced ? 0 : WUNTRACED);
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, flags)) > 0)
		handle_status(wait, pid, status);
	return pid == 0;
}

/* Stops hence itself once the command has stopped, so that the shell sees the job stop. */
static void stop_with_job(struct wait *wait)
{
	double before = budget_clock();

	if (!wait->stop_wanted || !root_of(wait)->stopped)
		return;
	wait->stop_wanted = false;
	raise(SIGSTOP);
	/* 'fg' continues the whole group; 'kill -CONT' of hence alone only us. */
	root_of(wait)->stopped = false;
	kill(root_of(wait)->pid, SIGCONT);
	wait->kill_at += budget_clock() - before;
}

static void got_signal(struct wait *wait, int number)
{
	switch (number) {
	case SIGINT:
	case SIGQUIT:
		if (++wait->interrupts >= 2)
			kill_all(wait);
		break;
	case SIGTERM:
	case SIGHUP:
		kill(root_of(wait)->pid, number);
		if (wait->kill_at > budget_clock() + LINGER)
			wait->kill_at = budget_clock() + LINGER;
		wait->timed = false;
		break;
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU: wait->stop_wanted = true; break;
	}
}

static int next_signal(struct wait *wait)
{
	double left = (wait->killing ? wait->give_up_at : wait->kill_at) - budget_clock();
	struct timespec time = {0};

	if (left > LONGEST)
		left = LONGEST;
	if (left > 0) {
		time.tv_sec = (time_t)left;
		time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
	}
	return sigtimedwait(&wait->signals, NULL, &time);
}

static void wait_for_all(struct wait *wait)
{
	while (collect(wait)) {
		int number;

		stop_with_job(wait);
		number = next_signal(wait);
		if (number > 0)
			got_signal(wait, number);
		if (wait->killing && budget_clock() >= wait->give_up_at)
			return;
		if (!wait->killing && budget_clock() >= wait->kill_at) {
			if (root_of(wait)->ended) {
				struct processes *processes = &wait->result->processes;
				uint32_t count = 0;

				for (uint32_t i = 0; i < processes->list.size; i++)
					count += !processes->list.at[i].ended;
				wait->result->left = count;
			}
			kill_all(wait);
		}
	}
}

static struct hence_error *run(const struct launch_options *options, const sigset_t *mask,
                               struct wait *wait)
{
	struct started started = {0};
	struct hence_error *error = start_command(options, mask, &started);
	struct feed *feed;

	if (error)
		return error;
	feed = options->session ? feed_start(options->session) : NULL;
	wait->result->traced = started.traced;
	wait->result->fixed_addresses = started.fixed_addresses;
	processes_add(&wait->result->processes, started.pid);
	if (options->timeout > 0) {
		wait->kill_at = budget_clock() + options->timeout;
		wait->timed = true;
	}
	wait_for_all(wait);

	if (feed) {
		feed->stop = true;
		pthread_join(feed->thread, NULL);
		for (uint32_t i = 0; i < feed->tapes.size; i++) {
			if (feed->tapes.at[i].head)
				munmap((void *)feed->tapes.at[i].head, 4096);
			close(feed->tapes.at[i].fd);
		}
		vec_deinit(&feed->tapes);
		munmap((void *)feed->control, 4096);
		free(feed->session);
		free(feed);
	}

	/* What the child wrote when it could not execute the program. */
	int reason = 0;
	ssize_t got = read(started.failed, &reason, sizeof(reason));

	close(started.failed);
	started.failed = -1;
	if (got != sizeof(reason))
		return NULL;
	errno = reason;
	return error_from_errno(HENCE_ERROR_INPUT, "cannot run %s", options->argv[0]);
}

struct hence_error *launch_run(const struct launch_options *options, struct launch_result *out)
{
	struct launch_result result = {.traced = false};
	struct wait wait = {.result = &result, .kill_at = NEVER};
	struct hence_error *error;
	double begin = budget_clock(), cpu = cpu_of_children();
	sigset_t old;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* Ignored, as some parents leave it, children would vanish unseen. */
	signal(SIGCHLD, SIG_DFL);

	static const int numbers[] = {SIGCHLD, SIGINT,  SIGQUIT, SIGTERM,
	                              SIGHUP,  SIGTSTP, SIGTTIN, SIGTTOU};

	sigemptyset(&wait.signals);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(&wait.signals, numbers[i]);

	sigprocmask(SIG_BLOCK, &wait.signals, &old);
	error = run(options, &old, &wait);

	/* Signals that came too late to matter must not end hence before its account. */
	struct timespec none = {0};

	while (sigtimedwait(&wait.signals, NULL, &none) > 0)
		continue;

	sigprocmask(SIG_SETMASK, &old, NULL);
	result.wall = budget_clock() - begin;
	result.cpu = cpu_of_children() - cpu;
	if (error)
		launch_result_deinit(&result);
	else
		*out = result;
	return error;
}

void launch_result_deinit(struct launch_result *result)
{
	processes_deinit(&result->processes);
	*result = (struct launch_result){0};
}
