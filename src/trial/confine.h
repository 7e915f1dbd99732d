/*
 * Confinement of a process and all that come from it, by the kernel's own means and for good.
 *
 *	Landlock   files are made, changed, renamed and removed only below the given directories;
 *	           devices are opened for reading at most, but for /dev/null, /dev/zero and
 *	           /dev/full; no TCP; no signals to processes outside (kernels from 6.12 on)
 *	seccomp    no sockets but pairs of AF_UNIX; no signal to everybody; nothing that changes the
 *	           machine (clock, modules, mounts, host name): EACCES or EPERM
 *	limits     memory, size of files, processor time; no core files
 *
 * Everything can be read and executed. chmod(), chown(), setxattr() and the like, which Landlock does not
 * know, do nothing and succeed; utimes() is refused. What is not stopped: these calls by 32-bit programs, and System V
 * IPC.
 */
#ifndef HENCE_TRIAL_CONFINE_H
#define HENCE_TRIAL_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct confine_limits {
	uint64_t memory;    /* bytes of address space; 0: no limit */
	uint64_t file_size; /* bytes; a process that writes more gets SIGXFSZ; 0: no limit */
	uint32_t seconds;   /* of processor time, then SIGXCPU; 0: no limit */
};

struct confine {
	int ruleset; /* of Landlock; -1: not confined */
	struct confine_limits limits;
};

/* Does the kernel have Landlock? Else why not: 'switched off', 'not built in'. */
bool confine_possible(const char **why);

/* Prepares confinement to `folder` and `also`, which may be NULL. `folder` is NULL: there are only
   the limits. The error says so when the kernel has no Landlock. Caller frees with
   confine_deinit(). */
MUST_USE struct hence_error *confine_create(const char *folder, const char *also,
                                            const struct confine_limits *limits,
                                            struct confine *out);
void confine_deinit(struct confine *confine);

/* Confines this process for good. To be called between fork and exec: makes system calls only, and
   touches no memory but its own stack. 0, or the errno of what failed. */
int confine_self(const struct confine *confine);

#endif
