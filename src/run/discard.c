/* A place to throw output away: see discard.h. */
#include "run/discard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static void *drain(void *data)
{
	int fd = (int)(intptr_t)data;
	char bytes[65536];
	ssize_t got;

	/* A terminal whose writers are gone answers EIO. */
	do
		got = read(fd, bytes, sizeof(bytes));
	while (got > 0 || (got < 0 && errno == EINTR));
	close(fd);
	return NULL;
}

static bool start_drain(int fd)
{
	sigset_t all, old;
	pthread_t thread;
	int failed;

	/* Signals are the main thread's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&thread, NULL, drain, (void *)(intptr_t)fd);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!failed)
		pthread_detach(thread);
	return !failed;
}

static bool open_terminal(int like, int fds[2])
{
	struct termios settings;
	struct winsize size;
	char name[128];

	fds[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fds[0] < 0 || grantpt(fds[0]) || unlockpt(fds[0]) ||
	    ptsname_r(fds[0], name, sizeof(name)))
		return false;
	fds[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fds[1] >= 0 && !tcgetattr(like, &settings))
		tcsetattr(fds[1], TCSANOW, &settings);
	if (fds[1] >= 0 && !ioctl(like, TIOCGWINSZ, &size))
		ioctl(fds[1], TIOCSWINSZ, &size);
	return fds[1] >= 0;
}

static int open_file(int like, const char *folder)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	off_t at = lseek(like, 0, SEEK_CUR);

	if (fd >= 0 && at > 0)
		lseek(fd, at, SEEK_SET);
	return fd;
}

static int open_drained(int like, bool terminal)
{
	int fds[2] = {-1, -1};
	bool opened = terminal ? open_terminal(like, fds) : !pipe2(fds, O_CLOEXEC);

	if (opened && start_drain(fds[0]))
		return fds[1];
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return -1;
}

struct hence_error *discard_open(int like, const char *folder, int *out)
{
	struct stat info = {0};
	int fd = -1;

	if (fstat(like, &info))
		info.st_mode = S_IFCHR;
	if (isatty(like))
		fd = open_drained(like, true);
	else if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))
		fd = open_drained(like, false);
	else if (S_ISREG(info.st_mode))
		fd = open_file(like, folder);
	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot open /dev/null");
	*out = fd;
	return NULL;
}
