/* Where trials crash: see trial_crash.h. */
#include "trial/trial_crash.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "run/process_memory.h"

#define WINDOW 16384 /* bytes of the stack that are looked at */
#define MOST   4096  /* crashes that are remembered */

MAP_DEFINE_U64(crash_map, struct outcome);

struct crash_cache {
	struct crash_map map;
};

struct crash_cache *crash_cache_create(void)
{
	return mem_alloc(sizeof(struct crash_cache));
}

void crash_cache_destroy(struct crash_cache *cache)
{
	if (!cache)
		return;
	map_each(&cache->map, i) outcome_deinit(&cache->map.at[i].value);
	crash_map_deinit(&cache->map);
	free(cache);
}

/* Where the code of the program itself lies: the mappings of the file that it was executed from. */
static bool own_code(pid_t pid, uint64_t *low, uint64_t *high)
{
	char text[16384], link[64], name[1024], other[1024];
	uint64_t from, to;
	bool found = false;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	length = readlink(link, name, sizeof(name) - 1);
	name[length > 0 ? length : 0] = '\0';
	process_memory_text(pid, "maps", text, sizeof(text));
	for (char *line = text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : NULL;
		other[0] = '\0';
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %1023[^\n]", &from, &to, other) < 2)
			break;
		if (strcmp(name, other))
			continue;
		if (!found)
			*low = from;
		*high = to;
		found = true;
	}
	return found;
}

/* A number for this crash: the same stack gives the same. 0: it could not be read. */
static uint64_t signature(pid_t pid, int number, const struct user_regs_struct *registers)
{
	uint64_t words[WINDOW / 8], low = 0, high = 0, hash = map_hash_u64(registers->rip);
	size_t size = WINDOW;

	if (!own_code(pid, &low, &high))
		return 0;
	/* The stack may end sooner. */
	while (size && !process_memory_read(pid, registers->rsp & ~7ull, words, size))
		size /= 2;
	for (size_t i = 0; i < size / 8; i++)
		if (words[i] >= low && words[i] < high)
			hash = map_hash_u64(hash + words[i]);
	hash = map_hash_u64(hash + (uint64_t)number);
	return hash ? hash : 1;
}

static void note(struct crash_cache *cache, struct process *process, pid_t thread, int number,
                 const struct user_regs_struct *registers)
{
	uint64_t key = cache ? signature(process->pid, number, registers) : 0;
	struct outcome *known = key ? crash_map_find(&cache->map, key) : NULL;

	if (known) {
		outcome_deinit(&process->outcome);
		outcome_copy(&process->outcome, known);
		free(process->outcome.detail);
		process->outcome.detail = NULL;
		return;
	}
	crash_note(process->pid, thread, number, &process->fault, &process->outcome);
	/* Somebody may have killed it meanwhile. */
	if (key && process->outcome.place.elf && cache->map.size < MOST)
		outcome_copy(crash_map_put(&cache->map, key), &process->outcome);
}

bool crash_stopped(struct crash_cache *cache, struct processes *processes, pid_t root, pid_t thread,
                   int status, struct crash_last *last)
{
	struct process *process = &processes->list.at[0];
	struct user_regs_struct registers;
	siginfo_t info = {0};
	int number = WSTOPSIG(status);

	/* Other processes of the trial do not matter, threads are left to tracee_stopped(). */
	if (status >> 16 || thread != root || ptrace(PTRACE_GETREGS, thread, 0, &registers))
		return false;
	ptrace(PTRACE_GETSIGINFO, thread, 0, &info);
	*last = (struct crash_last){number, info.si_code > 0, registers.rip};
	if (!crash_is_deadly(thread, number))
		return false;
	note(cache, process, thread, number, &registers);
	ptrace(PTRACE_CONT, thread, 0, number);
	return true;
}

uint64_t crash_last_pc(const struct crash_last *last, const struct crash_fault *fault, int number)
{
	/* A handler that raises the signal again to die of it: the place is that of the fault. */
	if (fault->signal == number && !(last->signal == number && last->fault))
		return fault->pc;
	return last->signal == number ? last->pc : 0;
}
