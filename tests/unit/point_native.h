/*
 * The program of a test, run without hence and stopped at its sites by a tracer that shares no code with the
 * runtime.
 */
#ifndef HENCE_TESTS_UNIT_POINT_NATIVE_H
#define HENCE_TESTS_UNIT_POINT_NATIVE_H

#include "trace_decoded.h"

#include <signal.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "experiment/point.h"

static inline void native_must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

/* Puts a trap in the place of a site. */
static inline void native_trap(pid_t child, uint64_t address)
{
	char *path = str_format("/proc/%d/mem", child);
	int fd = open(path, O_RDWR);
	uint8_t found[HENCE_SITE_NOP_SIZE], trap = 0xcc;

	free(path);
	assert_int_equal(pread(fd, found, sizeof(found), (off_t)address), sizeof(found));
	assert_memory_equal(found, HENCE_SITE_NOP, sizeof(found));
	assert_int_equal(pwrite(fd, &trap, 1, (off_t)address), 1);
	close(fd);
}

/* The program without hence, at the addresses that it was recorded at. */
static inline pid_t native_start(char **argv)
{
	pid_t child = fork();
	int status, null;

	if (!child) {
		null = open("/dev/null", O_RDWR);
		for (int fd = 0; fd < 3; fd++)
			dup2(null, fd);
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[0], argv);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_EXITKILL);
	return child;
}

#endif
