/*
 * Waiting for a traced program: what waitpid() reports is handled here, with a deadline and a
 * descriptor that ends the wait. Events wake us by SIGCHLD, which is blocked but while we sleep,
 * so none is missed.
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "trial/server_work.h"
#include "run/tracee.h"

#define GRACE       5.0 /* seconds after the deadline; then the server is stuck */
#define MOST_LIVING 256 /* processes of one trial */

static struct server *servers; /* all of this process */

double server_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* --- signals --- */

static void woken(int number)
{
	(void)number;
}

/* What SIGCHLD did before the first server was there. */
static struct sigaction before;
static sigset_t mask_before;

static void take_signal(void)
{
	struct sigaction action = {.sa_handler = woken};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &mask_before);
	sigaction(SIGCHLD, &action, &before);
	/* Orphans of a trial become ours, so that nothing is left of them when they are reaped. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void give_signal_back(void)
{
	sigaction(SIGCHLD, &before, NULL);
	if (!sigismember(&mask_before, SIGCHLD)) {
		sigset_t child;

		sigemptyset(&child);
		sigaddset(&child, SIGCHLD);
		sigprocmask(SIG_UNBLOCK, &child, NULL);
	}
}

void server_enlist(struct server *server)
{
	if (!servers)
		take_signal();
	server->mask = mask_before;
	server->waiting = mask_before;
	sigdelset(&server->waiting, SIGCHLD);
	server->next = servers;
	servers = server;
}

void server_delist(struct server *server)
{
	struct server **at = &servers;

	while (*at != server)
		at = &(*at)->next;
	*at = server->next;
	if (!servers)
		give_signal_back();
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

static void kill_all(struct server_watch *watch)
{
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

static void process_ended(struct server_watch *watch, pid_t pid, int status)
{
	struct process *process = processes_find(&watch->processes, pid);

	if (!process || process->ended)
		return;
	process->ended = true;
	if (process == first_of(watch))
		watch->stopped = watch->late;
	process->outcome.kind = WIFSIGNALED(status) ? OUTCOME_SIGNALLED : OUTCOME_EXITED;
	if (WIFSIGNALED(status))
		process->outcome.signal = WTERMSIG(status);
	else
		process->outcome.status = WEXITSTATUS(status);
}

static void process_stopped(struct server_watch *watch, pid_t pid, int status)
{
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
	if (!crash_stopped(must_end(watch) ? NULL : watch->server->crashes, &watch->processes,
	                   first_of(watch)->pid, pid, status, &watch->last))
		tracee_stopped(&watch->processes, pid, status);
	if (watch->processes.list.size > MOST_LIVING && count_living(watch) > MOST_LIVING)
		watch->late = true;
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

/* A server that waits: it only gets signals. */
static void server_event(struct server *server, int status)
{
	if (!WIFSTOPPED(status))
		server->pid = 0;
	else
		ptrace(PTRACE_CONT, server->pid, 0, status >> 16 ? 0 : WSTOPSIG(status));
}

static void handle(struct server_watch *watch, pid_t pid, int status)
{
	struct server *server = find_server(pid);
	struct process *first = first_of(watch);

	if (server && (server != watch->server || !first || first->pid != pid)) {
		server_event(server, status);
	} else if (server && tells(watch, status)) {
		watch->ready = true;
		ptrace(PTRACE_CONT, pid, 0, 0);
	} else if (watch->snapshot && first && first->pid == pid && tells(watch, status)) {
		watch->ready = true;
		ptrace(PTRACE_CONT, pid, 0, 0);
	} else if (WIFSTOPPED(status)) {
		process_stopped(watch, pid, status);
	} else {
		process_ended(watch, pid, status);
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
	double left = end - server_now();
	struct timespec time = {0};

	if (timed && left > 0) {
		time.tv_sec = (time_t)left;
		time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
	}
	if (watch->cancelled)
		fd.fd = -1;
	if (ppoll(&fd, 1, timed ? &time : NULL, &watch->server->waiting) > 0)
		watch->cancelled = true;
	if (timed && server_now() >= end) {
		watch->stuck = watch->late;
		watch->late = true;
	}
}

static void collect(struct server_watch *watch)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
		handle(watch, pid, status);
	/* No child at all: nobody is left to wait for. */
	if (pid < 0 && errno == ECHILD)
		watch->server->pid = 0;
}

void server_wait(struct server_watch *watch)
{
	for (;;) {
		collect(watch);
		if (is_over(watch))
			return;
		if (must_end(watch))
			kill_all(watch);
		sleep_for_event(watch);
	}
}
