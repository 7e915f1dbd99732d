/* Confinement really holds: a child confines itself and tries what it may not do. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "trial/confine.h"
#include "trial/trial_scratch.h"

/* home/ has a user's file and directory; scratch/ is what a child is confined to. */
static char folder[] = "/tmp/hence-confine-XXXXXX";

static int set_up(void **state)
{
	int fd;

	if (!mkdtemp(folder) || chdir(folder) || mkdir("home", 0700) || mkdir("home/sub", 0700) ||
	    mkdir("scratch", 0700))
		return -1;
	fd = open("home/file", O_WRONLY | O_CREAT, 0600);
	return write(fd, "precious", 8) != 8 || close(fd);
}

static int tear_down(void **state)
{
	return chdir("/") || trial_scratch_remove(folder);
}

/* An attempt; the errno that must come of it, 0: it must succeed. */
struct attempt {
	const char *name;
	int (*make)(void);
	int wanted;
};

static int opened(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	return fd < 0 ? -1 : close(fd);
}

static int write_user(void)
{
	return opened("home/file", O_WRONLY);
}
static int truncate_by_open(void)
{
	return opened("home/file", O_WRONLY | O_TRUNC);
}
static int truncate_by_name(void)
{
	return truncate("home/file", 0);
}
static int append_user(void)
{
	return opened("home/file", O_WRONLY | O_APPEND);
}
static int read_user(void)
{
	return opened("home/file", O_RDONLY);
}
static int create_user(void)
{
	return opened("home/new", O_WRONLY | O_CREAT);
}
static int create_tmp(void)
{
	return opened("/tmp/hence-confine-leak", O_WRONLY | O_CREAT);
}
static int create_shm(void)
{
	return opened("/dev/shm/hence-confine-leak", O_WRONLY | O_CREAT);
}
static int unlink_user(void)
{
	return unlink("home/file");
}
static int rmdir_user(void)
{
	return rmdir("home/sub");
}
static int mkdir_user(void)
{
	return mkdir("home/dir", 0700);
}
static int rename_user(void)
{
	return rename("home/file", "home/gone");
}
static int rename_out(void)
{
	return rename("home/file", "scratch/stolen");
}
static int rename_in(void)
{
	return rename("scratch/own", "home/own");
}
static int link_user(void)
{
	return link("home/file", "scratch/link");
}
static int symlink_user(void)
{
	return symlink("x", "home/symlink");
}
static int fifo_user(void)
{
	return mkfifo("home/fifo", 0600);
}
static int device(void)
{
	return mknod("scratch/dev", S_IFCHR | 0600, makedev(1, 1));
}
static int tmpfile_user(void)
{
	return opened("home", O_WRONLY | O_TMPFILE);
}

static int write_through_link(void)
{
	return symlink("../home/file", "scratch/way") ? 0 : opened("scratch/way", O_WRONLY);
}

static int write_scratch(void)
{
	return opened("scratch/own", O_WRONLY | O_CREAT | O_TRUNC);
}
static int mkdir_scratch(void)
{
	return mkdir("scratch/dir", 0700);
}
static int rename_scratch(void)
{
	return rename("scratch/own", "scratch/dir/own");
}
static int unlink_scratch(void)
{
	return unlink("scratch/dir/own");
}
static int write_null(void)
{
	return opened("/dev/null", O_WRONLY | O_TRUNC);
}

static int inet(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}
static int inet6(void)
{
	return socket(AF_INET6, SOCK_DGRAM, 0);
}
static int local(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}
static int netlink(void)
{
	return socket(AF_NETLINK, SOCK_RAW, 0);
}

static int pair(void)
{
	int ends[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static int uring(void)
{
	return (int)syscall(SYS_io_uring_setup, 1, NULL);
}
static int kill_all(void)
{
	return kill(-1, 0);
}
static int kill_self(void)
{
	return kill(getpid(), 0);
}
static int host(void)
{
	return sethostname("x", 1);
}
static int bare_mount(void)
{
	return (int)syscall(SYS_mount, "none", "home", "tmpfs", 0, NULL);
}

static const struct attempt attempts[] = {
	{"write the user's file", write_user, EACCES},
	{"truncate it by open", truncate_by_open, EACCES},
	{"truncate it by name", truncate_by_name, EACCES},
	{"append to it", append_user, EACCES},
	{"read it", read_user, 0},
	{"create a file", create_user, EACCES},
	{"create in /tmp", create_tmp, EACCES},
	{"create in /dev/shm", create_shm, EACCES},
	{"unlink", unlink_user, EACCES},
	{"rmdir", rmdir_user, EACCES},
	{"mkdir", mkdir_user, EACCES},
	{"rename", rename_user, EACCES},
	{"write in scratch", write_scratch, 0},
	{"rename out of home", rename_out, EACCES},
	{"rename into home", rename_in, EACCES},
	{"link", link_user, EXDEV},
	{"symlink", symlink_user, EACCES},
	{"fifo", fifo_user, EACCES},
	{"device in scratch", device, EACCES},
	{"nameless file", tmpfile_user, EACCES},
	{"write through a link", write_through_link, EACCES},
	{"mkdir in scratch", mkdir_scratch, 0},
	{"rename in scratch", rename_scratch, 0},
	{"unlink in scratch", unlink_scratch, 0},
	{"write /dev/null", write_null, 0},
	{"AF_INET", inet, EACCES},
	{"AF_INET6", inet6, EACCES},
	{"AF_UNIX", local, EACCES},
	{"AF_NETLINK", netlink, EACCES},
	{"socketpair", pair, 0},
	{"io_uring", uring, ENOSYS},
	{"kill everybody", kill_all, EPERM},
	{"kill itself", kill_self, 0},
	{"host name", host, EPERM},
	{"mount", bare_mount, EPERM},
};

#define ATTEMPTS (sizeof(attempts) / sizeof(*attempts))

/* Exit code of a child: 0, or 1 + the number of the first attempt that went wrong. */
static int try_all(void)
{
	for (size_t i = 0; i < ATTEMPTS; i++) {
		int failed = attempts[i].make() < 0, reason = failed ? errno : 0;

		/* Who is not root gets EPERM for a device before Landlock is asked. */
		if (attempts[i].make == device && reason == EPERM)
			reason = EACCES;
		if (reason == attempts[i].wanted)
			continue;
		fprintf(stderr, "%s: %s, not %s\n", attempts[i].name, strerror(reason),
		        strerror(attempts[i].wanted));
		return 1 + (int)i;
	}
	return 0;
}

/* Runs `child` confined, in a process of its own, or in a grandchild of it. */
static int confined(int (*child)(void), const struct confine_limits *limits, bool grandchild)
{
	struct confine confine;
	int status;
	pid_t pid;

	assert_null(confine_create("scratch", NULL, limits, &confine));
	pid = fork();
	if (!pid) {
		if (confine_self(&confine))
			_exit(200);
		if (!grandchild || !(pid = fork()))
			_exit(child());
		waitpid(pid, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 201);
	}
	waitpid(pid, &status, 0);
	confine_deinit(&confine);
	return status;
}

static void check_user(void)
{
	char text[16] = "";
	int fd = open("home/file", O_RDONLY);

	assert_int_equal(read(fd, text, sizeof(text)), 8);
	assert_string_equal(text, "precious");
	close(fd);
	assert_int_equal(access("home/new", F_OK), -1);
	assert_int_equal(access("/tmp/hence-confine-leak", F_OK), -1);
}

static void test_attempts(void **state)
{
	const struct confine_limits none = {0};

	assert_int_equal(confined(try_all, &none, false), 0);
	check_user();
	assert_int_equal(trial_scratch_remove("scratch"), 0);
	assert_int_equal(mkdir("scratch", 0700), 0);
	assert_int_equal(confined(try_all, &none, true), 0);
	check_user();
}

/* The attempts are real ones: without confinement they succeed. */
static void test_unconfined(void **state)
{
	assert_int_equal(write_user(), 0);
	assert_int_equal(append_user(), 0);
	assert_int_equal(create_user(), 0);
	assert_int_equal(unlink("home/new"), 0);
	assert_int_equal(rename("home/file", "home/gone"), 0);
	assert_int_equal(rename("home/gone", "home/file"), 0);
	assert_true(close(local()) == 0);
}

/* Signals to processes outside, where Landlock can stop them (version 6). */
static int kill_parent(void)
{
	int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1);

	if (version < 6)
		return 0;
	return kill(getppid(), 0) == 0;
}

static void test_signals(void **state)
{
	const struct confine_limits none = {0};

	assert_int_equal(confined(kill_parent, &none, false), 0);
}

static int write_much(void)
{
	static const char block[65536];
	int fd = open("scratch/big", O_WRONLY | O_CREAT, 0600);

	signal(SIGXFSZ, SIG_DFL);
	for (int i = 0; i < 64; i++)
		if (write(fd, block, sizeof(block)) < 0)
			return 1;
	return 0;
}

static int spin(void)
{
	for (;;)
		getpid();
	return 0;
}

static int take_memory(void)
{
	void *memory = malloc(256u << 20);

	free(memory);
	return memory != NULL;
}

static void test_limits(void **state)
{
	const struct confine_limits none = {0}, size = {.file_size = 1 << 20},
				    time = {.seconds = 1};
	struct rlimit before;
	int status;

	status = confined(write_much, &size, false);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
	assert_int_equal(confined(write_much, &none, false), 0);
	status = confined(spin, &time, false);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
	getrlimit(RLIMIT_AS, &before);
#ifndef __SANITIZE_ADDRESS__
	const struct confine_limits memory = {.memory = 200u << 20};

	assert_int_equal(WEXITSTATUS(confined(take_memory, &none, false)), 1);
	assert_int_equal(WEXITSTATUS(confined(take_memory, &memory, false)), 0);
#else
	(void)take_memory;
#endif
}

static void test_no_folder(void **state)
{
	const struct confine_limits none = {0};
	struct confine confine;
	struct hence_error *error = confine_create("nowhere", NULL, &none, &confine);

	assert_non_null(error);
	assert_non_null(strstr(error->message, "nowhere"));
	error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attempts),  cmocka_unit_test(test_unconfined),
		cmocka_unit_test(test_signals),   cmocka_unit_test(test_limits),
		cmocka_unit_test(test_no_folder),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
