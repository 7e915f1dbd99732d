/*
 * One command of a trial: see trial_exec.h.
 *
 * Starting is the dear part. fork() would copy the page tables of hence with all of LLVM, which
 * takes longer than the program, and vfork() would not let us trace the child before its exec. So
 * the child shares our memory, as with vfork(), on a stack of its own, and waits for a byte in a
 * pipe. It makes system calls only; errno is ours too, so we look at no errno meanwhile.
 */
#include "trial/trial_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/user.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/child_stack.h"
#include "base/mem.h"
#include "base/vec.h"
#include "run/process_memory.h"
#include "run/processes.h"
#include "run/launch.h"

#define MOST_LIVING 256 /* processes of one trial */
#define NEVER       1e18

/* What a child is to do; it answers in `failed` and `step`. */
struct child {
	const struct exec_command *command;
	const int *go;
	char **shell; /* the command line for a script without '#!' */
	volatile int failed;
	const char *volatile step;
};

struct run {
	const struct exec_command *command;
	struct exec_result *result;
	struct processes processes;
	pid_t root;
	bool traced;
	bool over; /* the first process has ended */
	bool killing;
	bool timed;
	double deadline;
	off_t progress;  /* bytes that went through the streams, */
	double computed; /* and processor time when they did so last */
	sigset_t none;
	struct crash_last last;
};

struct hence_error *exec_init(struct exec *out)
{
	struct exec exec;

	exec.stack = child_stack_create();
	if (!exec.stack || pipe2(exec.go, O_CLOEXEC))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot prepare for trials");
	*out = exec;
	return NULL;
}

void exec_deinit(struct exec *exec)
{
	child_stack_destroy(exec->stack);
	close(exec->go[0]);
	close(exec->go[1]);
}

static void give_up(struct child *child, int reason, const char *step)
{
	child->failed = reason;
	child->step = step;
	/* _exit() does not suit sanitizers on a foreign stack. */
	syscall(SYS_exit_group, 127);
}

static int run_child(void *data)
{
	struct child *child = data;
	char go;

	/* If the worker is killed, so are we. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(child->go[1]);
	setpgid(0, 0);
	if (read(child->go[0], &go, 1) == 1) {
		const struct exec_command *command = child->command;
		int reason;

		if (chdir(command->folder))
			give_up(child, errno, "enter the directory of");
		for (int i = 0; i < 3; i++)
			if (dup2(command->streams[i], i) < 0)
				give_up(child, errno, "open the streams of");
		if (command->page.at && fcntl(command->page.file, F_SETFD, 0))
			give_up(child, errno, "share memory with");
		reason = confine_self(command->confine);
		if (reason)
			give_up(child, reason, "confine");
		sigprocmask(SIG_SETMASK, command->mask, NULL);
		execve(command->path, command->argv, command->environment);
		if (errno == ENOEXEC)
			execve("/bin/sh", child->shell, command->environment);
		give_up(child, errno, "run");
	}
	syscall(SYS_exit_group, 127);
	return 0;
}

/* Like execvp(), has the shell read a script without a first line '#!'. Caller frees. */
static char **shell_line(const struct exec_command *command)
{
	VEC(char *) line = VEC_INIT;

	*vec_push(&line) = (char *)"sh";
	*vec_push(&line) = (char *)command->path;
	for (uint32_t i = 0; command->argv[i] && command->argv[i + (command->argv[0] ? 1 : 0)]; i++)
		*vec_push(&line) = command->argv[i + 1];
	vec_push(&line);
	return line.at;
}

/* As tracee_attach(); its end is seen too when somebody wants to know how much memory it took. */
static bool attach(const struct exec_command *command, pid_t id)
{
	long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
	               PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT;

	if (command->watched)
		options |= PTRACE_O_TRACESYSGOOD;
	else if (command->confine->limits.memory)
		return tracee_attach(id);
	return !ptrace(PTRACE_SEIZE, id, 0, options);
}

static struct hence_error *start(struct exec *exec, struct child *child, struct run *run)
{
	const struct exec_command *command = child->command;
	pid_t id;
	struct pollfd left = {.fd = exec->go[0], .events = POLLIN};
	char byte;

	/* A child that was killed early has left its byte in the pipe: the next would not wait
	   for us to trace it. */
	while (poll(&left, 1, 0) > 0 && read(exec->go[0], &byte, 1) == 1)
		continue;
	id = clone(run_child, child_stack_top(exec->stack), CLONE_VM | SIGCHLD, child);

	if (id < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot start %s", command->path);
	run->root = id;
	run->traced = command->traced && attach(command, id);
	run->processes.calls = run->traced && command->watched;
	processes_add(&run->processes, id)->programs = 1;
	if (write(exec->go[1], "g", 1) != 1)
		return error_create(HENCE_ERROR_INTERNAL, "cannot start %s", command->path);
	return NULL;
}

static void kill_all(struct run *run)
{
	char name[64], text[65536], *at;

	/* The group first, at one stroke: who forks in a loop does not escape. */
	if (!run->killing)
		kill(-run->root, SIGKILL);
	run->killing = true;
	for (uint32_t i = 0; i < run->processes.list.size; i++)
		if (!run->processes.list.at[i].ended)
			kill(run->processes.list.at[i].pid, SIGKILL);
	/* Children that are not traced; orphans of the trial are among them, since we adopt
	   them. */
	at = text;
	snprintf(name, sizeof(name), "task/%d/children", getpid());
	process_memory_text(getpid(), name, text, sizeof(text));
	for (long pid; (pid = strtol(at, &at, 10)) > 0;)
		kill((pid_t)pid, SIGKILL);
}

static void stop(struct run *run)
{
	run->timed = true;
	kill_all(run);
}

/* It, or a process that it started, has done too much work. */
static bool is_cut(const struct run *run)
{
	const struct hence_server *page = run->command->page.at;

	return page && __atomic_load_n(&page->cut, __ATOMIC_RELAXED);
}

static void ended(struct run *run, pid_t pid, int status)
{
	struct process *process = processes_find(&run->processes, pid);
	struct process *root;
	struct outcome *outcome;
	int number;

	if (!process || process->ended)
		return;
	process->ended = true;
	if (pid != run->root)
		return;
	root = &run->processes.list.at[0];
	outcome = &root->outcome;
	number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	outcome->kind = number ? OUTCOME_SIGNALLED : OUTCOME_EXITED;
	outcome->signal = number;
	outcome->status = number ? 0 : WEXITSTATUS(status);
	if (number == SIGXFSZ)
		run->result->limit = TRIAL_FILE_SIZE;
	/* Too much output or processor time: it would have gone on. */
	if (run->timed || is_cut(run) || number == SIGXFSZ || number == SIGXCPU)
		outcome->kind = OUTCOME_TIMED_OUT;
	else if (number)
		run->result->pc = crash_last_pc(&run->last, &root->fault, number);
	if (outcome->kind != OUTCOME_SIGNALLED) {
		struct outcome plain = {.kind = outcome->kind, .status = outcome->status};

		outcome_deinit(outcome);
		*outcome = plain;
	}
	run->over = true;
}

static uint32_t count_living(const struct run *run)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < run->processes.list.size; i++)
		count += !run->processes.list.at[i].ended;
	return count;
}

/* --- system calls that confinement refuses --- */

/* Could this process, which is not confined, write that file, or make it? */
static bool may_write(const struct exec_command *command, const char *path, bool makes)
{
	char *whole = *path == '/' ? mem_strdup(path) : str_format("%s/%s", command->folder, path);
	char *slash = strrchr(whole, '/');
	bool there = !access(whole, F_OK), may = there && !makes && !access(whole, W_OK);

	if ((!there || makes) && slash) {
		slash[slash == whole] = '\0';
		may = !access(whole, W_OK);
	}
	free(whole);
	return may;
}

/* A process stands after a system call, or before one. */
static void look_at_call(struct run *run, pid_t pid)
{
	static const struct {
		long number;
		const char *name;
		int path; /* argument */
		bool makes;
	} calls[] = {
		{SYS_open, "open", 0, false},       {SYS_openat, "open", 1, false},
		{SYS_creat, "creat", 0, false},     {SYS_truncate, "truncate", 0, false},
		{SYS_mkdir, "mkdir", 0, true},      {SYS_mkdirat, "mkdir", 1, true},
		{SYS_unlink, "unlink", 0, true},    {SYS_unlinkat, "unlink", 1, true},
		{SYS_rename, "rename", 0, true},    {SYS_renameat, "rename", 1, true},
		{SYS_renameat2, "rename", 1, true}, {SYS_rmdir, "rmdir", 0, true},
	};
	struct user_regs_struct registers;
	struct str *out = &run->result->refused;
	long result;

	if (out->length || ptrace(PTRACE_GETREGS, pid, 0, &registers))
		return;
	result = (long)registers.rax;
	if (result != -EACCES && result != -EPERM)
		return;
	/* The C library asks for services of the machine through local sockets, and does without. */
	if (registers.orig_rax == SYS_socket && registers.rdi != AF_UNIX)
		str_add(out, "socket()");
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		uint64_t flags = calls[i].path ? registers.rdx : registers.rsi;
		bool opens = calls[i].number == SYS_open || calls[i].number == SYS_openat;
		char path[4096] = "";
		uint64_t at, first;

		if ((long)registers.orig_rax != calls[i].number ||
		    (opens &&
		     (!(flags & (O_WRONLY | O_RDWR | O_CREAT)) ||
		      (flags & 020000000)))) /* O_TMPFILE: the C library tries another way */
			continue;
		at = calls[i].path ? registers.rsi : registers.rdi;
		/* A path may end just before a page that is not there. */
		first = 4096 - (at & 4095);
		if (process_memory_read(pid, at, path,
		                        first < sizeof(path) ? first : sizeof(path) - 1) &&
		    strlen(path) >= first && first < sizeof(path))
			process_memory_read(pid, at + first, path + first,
			                    sizeof(path) - 1 - first);
		if (*path && may_write(run->command, path, calls[i].makes))
			str_printf(out, "%s(\"%s\")%s", calls[i].name, path,
			           opens ? " for writing" : "");
	}
}

/* Handles all that has happened; false: no process is left. */
static bool collect(struct run *run)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		if (run->processes.calls && WIFSTOPPED(status) &&
		    WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			look_at_call(run, pid);
			ptrace(PTRACE_SYSCALL, pid, 0, 0);
			continue;
		}
		if (WIFSTOPPED(status)) {
			if (run->traced) {
				if (status >> 16 == PTRACE_EVENT_EXIT && pid == run->root) {
					char text[4096];
					const char *at;

					/* The most address space that a process had so far. */
					process_memory_text(pid, "status", text, sizeof(text));
					at = strstr(text, "\nVmPeak:");
					run->result->peak =
						at ? strtoull(at + 8, NULL, 10) << 10 : 0;
				}
				if (!crash_stopped(run->killing ? NULL : run->command->crashes,
				                   &run->processes, run->root, pid, status,
				                   &run->last))
					tracee_stopped(&run->processes, pid, status);
				if (run->processes.list.size > MOST_LIVING &&
				    count_living(run) > MOST_LIVING) {
					run->result->limit = TRIAL_PROCESSES;
					stop(run);
				}
			}
		} else {
			ended(run, pid, status);
		}
		/* One that was born while we were killing. */
		if (run->killing)
			kill_all(run);
	}
	return pid == 0;
}

#define GLANCE 0.5 /* seconds between two looks at a run that may be endless */

/* Has it computed for so long without reading or writing that it seems to be endless? */
static bool seems_endless(struct run *run)
{
	const struct exec_command *command = run->command;
	struct timespec time;
	struct stat info;
	off_t progress = 0;
	clockid_t clock;
	double computed;

	if (command->patience <= 0 || run->over || clock_getcpuclockid(run->root, &clock) ||
	    clock_gettime(clock, &time))
		return false;
	computed = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
	for (int i = 1; i < 3; i++)
		progress += fstat(command->streams[i], &info) ? 0 : info.st_size;
	progress += lseek(command->streams[0], 0, SEEK_CUR);
	if (progress != run->progress) {
		run->progress = progress;
		run->computed = computed;
	}
	return computed - run->computed >= command->patience;
}

/* Sleeps until something happens: a child, the control channel, the deadline. */
static void sleep_for_news(struct run *run)
{
	struct pollfd control = {.fd = run->command->control, .events = POLLIN};
	double left = run->killing ? 0.05 : run->deadline - budget_clock();
	struct timespec time = {0};
	int ready;

	if (!run->killing && run->command->patience > 0 && left > GLANCE)
		left = GLANCE;
	if (left > 0) {
		time.tv_sec = (time_t)left;
		time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
	}
	if (run->killing || run->result->interrupted)
		control.fd = -1;
	ready = ppoll(&control, 1, &time, &run->none);
	if (ready > 0 && run->command->interrupted(run->command->context)) {
		run->result->interrupted = true;
		kill_all(run);
	}
}

struct hence_error *exec_run(struct exec *exec, const struct exec_command *command,
                             struct exec_result *out)
{
	struct exec_result result = {.peak = 0};
	struct run run = {.command = command, .result = &result};
	struct child child = {.command = command, .go = exec->go, .shell = shell_line(command)};
	struct hence_error *error;
	double begin = budget_clock();

	sigemptyset(&run.none);
	run.deadline = command->timeout > 0 ? begin + command->timeout : NEVER;
	error = start(exec, &child, &run);
	if (!error) {
		while (collect(&run)) {
			/* What outlives it ends with it. */
			if (run.over || run.killing)
				kill_all(&run);
			else if (is_cut(&run))
				stop(&run);
			sleep_for_news(&run);
			if (!run.killing && seems_endless(&run)) {
				result.endless = true;
				stop(&run);
			}
			if (!run.killing && budget_clock() >= run.deadline)
				stop(&run);
		}
	}
	result.seconds = budget_clock() - begin;
	if (!error && child.failed) {
		errno = child.failed;
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot %s %s", child.step,
		                         command->path);
	}
	if (!error) {
		result.outcome = run.processes.list.at[0].outcome;
		run.processes.list.at[0].outcome = (struct outcome){0};
		*out = result;
	}
	free(child.shell);
	processes_deinit(&run.processes);
	return error;
}
