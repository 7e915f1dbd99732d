/* Confinement: see confine.h. */
#include "trial/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trial/confine_calls.h"

/* Landlock's rights and its structures, as in linux/landlock.h: headers may be older than kernels.
 */
#define FS_WRITE_FILE  (1ull << 1)
#define FS_REMOVE_DIR  (1ull << 4)
#define FS_REMOVE_FILE (1ull << 5)
#define FS_MAKE_CHAR   (1ull << 6)
#define FS_MAKE_BLOCK  (1ull << 11)
#define FS_MAKE_LAST   (1ull << 12)
#define FS_REFER       (1ull << 13) /* rename and link to another directory; version 2 */
#define FS_TRUNCATE    (1ull << 14) /* version 3 */
#define FS_IOCTL_DEV   (1ull << 15) /* version 5 */
#define NET_TCP        3ull         /* bind and connect; version 4 */
#define SCOPES         3ull         /* abstract sockets and signals; version 6 */

#define CREATE_VERSION 1u
#define PATH_BENEATH   1

struct ruleset {
	uint64_t fs, net, scoped;
};

struct path_rule {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

/* The rights that change files, as far as this version of Landlock knows them. */
static uint64_t file_rights(int version)
{
	uint64_t rights = FS_WRITE_FILE | ((FS_MAKE_LAST << 1) - FS_REMOVE_DIR);

	if (version >= 2)
		rights |= FS_REFER;
	if (version >= 3)
		rights |= FS_TRUNCATE;
	if (version >= 5)
		rights |= FS_IOCTL_DEV;
	return rights;
}

static int make_ruleset(int version)
{
	struct ruleset rules = {.fs = file_rights(version)};
	size_t size = offsetof(struct ruleset, net);

	if (version >= 4) {
		rules.net = NET_TCP;
		size = offsetof(struct ruleset, scoped);
	}
	if (version >= 6) {
		rules.scoped = SCOPES;
		size = sizeof(rules);
	}
	return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

static int allow(int ruleset, const char *path, uint64_t rights)
{
	struct path_rule rule = {rights, open(path, O_PATH | O_CLOEXEC)};
	int failed;

	if (rule.parent < 0)
		return -1;
	failed = (int)syscall(SYS_landlock_add_rule, ruleset, PATH_BENEATH, &rule, 0);
	close(rule.parent);
	return failed;
}

static void allow_devices(int ruleset, int version)
{
	static const char *const names[] = {"/dev/null", "/dev/zero", "/dev/full"};
	uint64_t rights = file_rights(version) & (FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV);

	/* A device that is not there needs no permission. */
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		allow(ruleset, names[i], rights);
}

static int landlock_version(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION);
}

bool confine_possible(const char **why)
{
	bool possible = landlock_version() >= 1;

	if (!possible)
		*why = errno == EOPNOTSUPP ? "switched off" : "not built in";
	return possible;
}

struct hence_error *confine_create(const char *folder, const char *also,
                                   const struct confine_limits *limits, struct confine *out)
{
	int version = landlock_version();
	uint64_t rights;
	const char *why;
	int ruleset;

	if (!folder) {
		*out = (struct confine){-1, *limits};
		return NULL;
	}
	if (!confine_possible(&why))
		return error_create(HENCE_ERROR_INPUT,
		                    "this kernel has no Landlock (%s), so hence cannot confine the "
		                    "program, and runs that are changed may do anything; use Linux "
		                    "5.13 or newer with 'landlock' in the boot option lsm=, or, if "
		                    "you do not mind, --unconfined",
		                    why);
	ruleset = make_ruleset(version);
	if (ruleset < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot use Landlock");
	/* Not even below the folder: a device made there leads out of it. */
	rights = file_rights(version) & ~(FS_MAKE_CHAR | FS_MAKE_BLOCK);
	if (allow(ruleset, folder, rights) || (also && allow(ruleset, also, rights))) {
		struct hence_error *error = error_from_errno(
			HENCE_ERROR_INTERNAL, "cannot confine a program to %s", folder);

		close(ruleset);
		return error;
	}
	allow_devices(ruleset, version);
	*out = (struct confine){ruleset, *limits};
	return NULL;
}

void confine_deinit(struct confine *confine)
{
	if (confine->ruleset >= 0)
		close(confine->ruleset);
	confine->ruleset = -1;
}

/* Lowers a limit; one that is lower already stays. */
static int limit(int resource, uint64_t most, uint64_t hard)
{
	struct rlimit now;

	if (getrlimit(resource, &now))
		return -1;
	if (hard < now.rlim_max)
		now.rlim_max = hard;
	if (most < now.rlim_cur)
		now.rlim_cur = most;
	return setrlimit(resource, &now);
}

static int set_limits(const struct confine_limits *limits)
{
	if (limit(RLIMIT_CORE, 0, 0))
		return -1;
	if (limits->memory && limit(RLIMIT_AS, limits->memory, limits->memory))
		return -1;
	if (limits->file_size && limit(RLIMIT_FSIZE, limits->file_size, limits->file_size))
		return -1;
	/* Whoever handles SIGXCPU and goes on is killed a second later. */
	if (limits->seconds && limit(RLIMIT_CPU, limits->seconds, limits->seconds + 1))
		return -1;
	return 0;
}

int confine_self(const struct confine *confine)
{
	if (set_limits(&confine->limits))
		return errno;
	if (confine->ruleset < 0)
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_landlock_restrict_self, confine->ruleset, 0) || confine_calls())
		return errno;
	return 0;
}
