/* The processes of a run: the one that was started and all that came from it. */
#ifndef HENCE_RUN_PROCESSES_H
#define HENCE_RUN_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "run/crash.h"
#include "run/outcome.h"

struct process {
	pid_t pid;
	bool ended;
	bool stopped;           /* by job control */
	bool announced;         /* its parent's fork was reported */
	uint32_t programs;      /* that it ran: one more with each exec */
	struct outcome outcome; /* while it lives: a deadly signal that it got */
	struct crash_fault fault;
};

/* The first is the one that was started. */
struct processes {
	bool calls; /* they also stop at system calls (PTRACE_O_TRACESYSGOOD) */
	VEC(struct process) list;
};

/* The process that has this id now; NULL: none. Valid until one is added. */
struct process *processes_find(struct processes *processes, pid_t pid);

/* Adds a living process. Valid until the next is added. */
struct process *processes_add(struct processes *processes, pid_t pid);

void processes_deinit(struct processes *processes);

#endif
