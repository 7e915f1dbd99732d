/* Tracing with ptrace: see tracee.h. */
#include "run/tracee.h"

#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "run/process_memory.h"

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

static void got_signal(struct process *process, pid_t thread, int number)
{
	if (crash_is_deadly(thread, number))
		crash_note(process->pid, thread, number, &process->fault, &process->outcome);
	else if (!stops(number))
		crash_note_fault(thread, number, &process->fault);
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
		got_signal(process, thread, number);
		pass = number;
		break;
	}
	ptrace(PTRACE_CONT, thread, 0, pass);
}
