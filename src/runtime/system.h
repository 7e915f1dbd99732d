/* System calls without libc: no errno, no locks, and nothing that the program could interpose. */
#ifndef HENCE_RUNTIME_SYSTEM_H
#define HENCE_RUNTIME_SYSTEM_H

#include <stdint.h>
#include <sys/syscall.h>

/* The result, or -errno. */
static inline long hence_rt_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}

#define HENCE_SYS3(n, a, b, c) hence_rt_syscall(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define HENCE_SYS6(n, a, b, c, d, e, f)                                                            \
	hence_rt_syscall(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
