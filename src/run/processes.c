/* The processes of a run: see processes.h. */
#include "run/processes.h"

#include <stdlib.h>

struct process *processes_find(struct processes *processes, pid_t pid)
{
	/* From the end: ids are used again. */
	for (uint32_t i = processes->list.size; i-- > 0;)
		if (processes->list.at[i].pid == pid)
			return &processes->list.at[i];
	return NULL;
}

struct process *processes_add(struct processes *processes, pid_t pid)
{
	struct process *process = vec_push(&processes->list);

	process->pid = pid;
	return process;
}

void processes_deinit(struct processes *processes)
{
	for (uint32_t i = 0; i < processes->list.size; i++) {
		outcome_deinit(&processes->list.at[i].outcome);
		free(processes->list.at[i].fault.detail);
	}
	vec_deinit(&processes->list);
}
