/*
 * System calls that a confined process may not make: see confine_calls.h.
 *
 * Sockets are refused when they are made, since a filter cannot see where one is connected to;
 * io_uring is refused because it makes sockets without the system call. 32-bit programs have other
 * numbers, and calls of the x32 kind do not exist for us.
 *
 * Modes, owners, times and attributes of files Landlock does not know. Programs that set them seldom look
 * at them, and often give up when they cannot, so nothing is done and success is told.
 */
#include "trial/confine_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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

int confine_calls(void)
{
	static const struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
