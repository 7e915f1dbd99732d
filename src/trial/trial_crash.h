/*
 * Where trials crash. To find the place of a crash in the source takes milliseconds, longer than
 * most trials; and many trials crash at the same place. Since addresses are the same in all runs,
 * the stack says whether this crash was seen before: its position and the return addresses into the
 * program.
 */
#ifndef HENCE_TRIAL_CRASH_H
#define HENCE_TRIAL_CRASH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/crash.h"
#include "run/processes.h"

struct crash_cache;

/* The last signal that stopped the first process of a trial. */
struct crash_last {
	int signal;
	bool fault; /* of the processor, not sent by anybody */
	uint64_t pc;
};

/* Caller frees with crash_cache_destroy(). */
struct crash_cache *crash_cache_create(void);
void crash_cache_destroy(struct crash_cache *cache);

/* Handles the stop of a traced process if it is a deadly signal for the process `root` itself;
   false: it is something else, for tracee_stopped(). `cache` may be NULL, and must be when the
   process is being killed: what can be seen of it may be half. A crash that was seen
   before has no detail. */
bool crash_stopped(struct crash_cache *cache, struct processes *processes, pid_t root, pid_t thread,
                   int status, struct crash_last *last);

/* Where the signal struck that ended the process; 0: not known. */
uint64_t crash_last_pc(const struct crash_last *last, const struct crash_fault *fault, int number);

#endif
