/* Confinement: see confine.h. */
#include "trial/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ------ system calls that a confined process may not make ------ */

/*
 * A seccomp filter. Sockets are refused when they are made, since a filter cannot see where one is
 * connected to; io_uring is refused because it makes sockets without the system call. 32-bit
 * programs have other numbers, and calls of the x32 kind do not exist for us.
 *
 * Landlock knows no modes, owners, times and attributes of files. Programs that set them seldom look
 * at them, and often give up when they cannot, so the call does nothing and reports success.
 */

#define X32_BIT 0x40000000u

#define LOAD(field)                                                                                \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offsetof(struct seccomp_data, field))
#define RETURN(action)      BPF_STMT(BPF_RET | BPF_K, (action))
#define SKIP_UNLESS(k, n)   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)(k), 0, (n))
#define FAIL(number)        RETURN(SECCOMP_RET_ERRNO | (number))
#define REFUSE(call, error) SKIP_UNLESS(call, 1), FAIL(error)
/* Nothing happens, and the program is told that it did. */
#define PRETEND(call) SKIP_UNLESS(call, 1), FAIL(0)
/* The same for a descriptor: its second argument, a name, is NULL. Else touch would have made a file. */
#define PRETEND_WITHOUT_NAME(call)                                                                 \
	SKIP_UNLESS(call, 4), LOAD(args[1]), SKIP_UNLESS(0, 1), FAIL(0), FAIL(EACCES)
/* The last five: signals to all processes at once, which older versions of Landlock do not stop. */
#define ALLOW_BUT_KILL_ALL(call)                                                                   \
	SKIP_UNLESS(call, 3), LOAD(args[0]), SKIP_UNLESS(-1, 1), FAIL(EPERM),                      \
		RETURN(SECCOMP_RET_ALLOW)

#define FCHMODAT2 452 /* newer than some headers */

/* Numbers of 32-bit programs. */
#define I386_KILL           37
#define I386_SOCKETCALL     102
#define I386_SOCKET         359
#define I386_IO_URING_SETUP 425

static struct sock_filter filter[] = {
	LOAD(arch),
	SKIP_UNLESS(AUDIT_ARCH_I386, 12),
	LOAD(nr),
	REFUSE(I386_SOCKETCALL, EACCES),
	REFUSE(I386_SOCKET, EACCES),
	REFUSE(I386_IO_URING_SETUP, ENOSYS),
	ALLOW_BUT_KILL_ALL(I386_KILL),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
	FAIL(ENOSYS),
	LOAD(nr),
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_JGE | BPF_K, X32_BIT, 0, 1),
	FAIL(ENOSYS),
	REFUSE(SYS_socket, EACCES),
	REFUSE(SYS_io_uring_setup, ENOSYS),
	REFUSE(SYS_mount, EPERM),
	REFUSE(SYS_umount2, EPERM),
	REFUSE(SYS_pivot_root, EPERM),
	REFUSE(SYS_reboot, EPERM),
	REFUSE(SYS_kexec_load, EPERM),
	REFUSE(SYS_kexec_file_load, EPERM),
	REFUSE(SYS_init_module, EPERM),
	REFUSE(SYS_finit_module, EPERM),
	REFUSE(SYS_delete_module, EPERM),
	REFUSE(SYS_swapon, EPERM),
	REFUSE(SYS_swapoff, EPERM),
	REFUSE(SYS_settimeofday, EPERM),
	REFUSE(SYS_clock_settime, EPERM),
	REFUSE(SYS_sethostname, EPERM),
	REFUSE(SYS_setdomainname, EPERM),
	REFUSE(SYS_iopl, EPERM),
	REFUSE(SYS_ioperm, EPERM),
	REFUSE(SYS_bpf, EPERM),
	REFUSE(SYS_add_key, EPERM),
	REFUSE(SYS_keyctl, EPERM),
	PRETEND(SYS_chmod),
	PRETEND(SYS_fchmod),
	PRETEND(SYS_fchmodat),
	PRETEND(SYS_chown),
	PRETEND(SYS_fchown),
	PRETEND(SYS_lchown),
	PRETEND(SYS_fchownat),
	REFUSE(SYS_utime, EACCES),
	REFUSE(SYS_utimes, EACCES),
	REFUSE(SYS_futimesat, EACCES),
	PRETEND_WITHOUT_NAME(SYS_utimensat),
	PRETEND(SYS_setxattr),
	PRETEND(SYS_lsetxattr),
	PRETEND(SYS_fsetxattr),
	PRETEND(SYS_removexattr),
	PRETEND(SYS_lremovexattr),
	PRETEND(SYS_fremovexattr),
	PRETEND(FCHMODAT2),
	ALLOW_BUT_KILL_ALL(SYS_kill),
};

/* Puts the filter on this process and all that come from it, which must have no_new_privs. 0, or -1
   with errno. Makes a single system call. */
static int confine_calls(void)
{
	static const struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* ------ Landlock, and limits ------ */

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
	struct ruleset rules;
	size_t size;

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
	rules = (struct ruleset){.fs = file_rights(version)};
	size = offsetof(struct ruleset, net);
	if (version >= 4) {
		rules.net = NET_TCP;
		size = offsetof(struct ruleset, scoped);
	}
	if (version >= 6) {
		rules.scoped = SCOPES;
		size = sizeof(rules);
	}
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
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
	/* A program that handles SIGXCPU and goes on is killed a second later. */
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
