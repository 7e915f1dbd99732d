/* Runs a command to its end: see launch.h. Starting it is in start.c; this is the waiting. */
#include "run/launch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/feed.h"
#include "run/process_memory.h"
#include "run/start.h"
#include "run/tracee.h"

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

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

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

/* Children that we do not trace: orphans come to us, since we are their subreaper. */
static void kill_children(void)
{
	char name[64], text[4096];
	char *at = text;

	snprintf(name, sizeof(name), "task/%d/children", getpid());
	process_memory_text(getpid(), name, text, sizeof(text));
	for (long pid; (pid = strtol(at, &at, 10)) > 0;)
		kill((pid_t)pid, SIGKILL);
}

static void kill_all(struct wait *wait)
{
	struct processes *processes = &wait->result->processes;

	if (!wait->killing)
		wait->give_up_at = now() + GIVE_UP;
	wait->killing = true;
	for (uint32_t i = 0; i < processes->list.size; i++)
		if (!processes->list.at[i].ended)
			kill(processes->list.at[i].pid, SIGKILL);
	if (!wait->result->traced)
		kill_children();
}

static uint32_t count_living(struct wait *wait)
{
	struct processes *processes = &wait->result->processes;
	uint32_t count = 0;

	for (uint32_t i = 0; i < processes->list.size; i++)
		count += !processes->list.at[i].ended;
	return count;
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
	if (!wait->killing && wait->kill_at > now() + LINGER) {
		wait->kill_at = now() + LINGER;
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
	double before = now();

	if (!wait->stop_wanted || !root_of(wait)->stopped)
		return;
	wait->stop_wanted = false;
	raise(SIGSTOP);
	/* 'fg' continues the whole group; 'kill -CONT' of hence alone only us. */
	root_of(wait)->stopped = false;
	kill(root_of(wait)->pid, SIGCONT);
	wait->kill_at += now() - before;
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
		if (wait->kill_at > now() + LINGER)
			wait->kill_at = now() + LINGER;
		wait->timed = false;
		break;
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU: wait->stop_wanted = true; break;
	}
}

static int next_signal(struct wait *wait)
{
	double left = (wait->killing ? wait->give_up_at : wait->kill_at) - now();
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
		if (wait->killing && now() >= wait->give_up_at)
			return;
		if (!wait->killing && now() >= wait->kill_at) {
			if (root_of(wait)->ended)
				wait->result->left = count_living(wait);
			kill_all(wait);
		}
	}
}

static void choose_signals(sigset_t *out)
{
	static const int numbers[] = {SIGCHLD, SIGINT,  SIGQUIT, SIGTERM,
	                              SIGHUP,  SIGTSTP, SIGTTIN, SIGTTOU};

	sigemptyset(out);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(out, numbers[i]);
}

/* Signals that came too late to matter must not end hence before its account. */
static void drop_pending(const sigset_t *signals)
{
	struct timespec none = {0};

	while (sigtimedwait(signals, NULL, &none) > 0)
		continue;
}

static struct hence_error *run(const struct launch_options *options, const sigset_t *mask,
                               struct wait *wait)
{
	struct started started;
	struct hence_error *error = start_command(options, mask, &started);
	struct feed *feed;

	if (error)
		return error;
	feed = options->session ? feed_start(options->session) : NULL;
	wait->result->traced = started.traced;
	wait->result->fixed_addresses = started.fixed_addresses;
	processes_add(&wait->result->processes, started.pid);
	if (options->timeout > 0) {
		wait->kill_at = now() + options->timeout;
		wait->timed = true;
	}
	wait_for_all(wait);
	feed_stop(feed);
	return start_check(&started, options);
}

struct hence_error *launch_run(const struct launch_options *options, struct launch_result *out)
{
	struct launch_result result = {.traced = false};
	struct wait wait = {.result = &result, .kill_at = NEVER};
	struct hence_error *error;
	double begin = now(), cpu = cpu_of_children();
	sigset_t old;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* Ignored, as some parents leave it, children would vanish unseen. */
	signal(SIGCHLD, SIG_DFL);
	choose_signals(&wait.signals);
	sigprocmask(SIG_BLOCK, &wait.signals, &old);
	error = run(options, &old, &wait);
	drop_pending(&wait.signals);
	sigprocmask(SIG_SETMASK, &old, NULL);
	result.wall = now() - begin;
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
