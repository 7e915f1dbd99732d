/* Memory and /proc files of another process: see memory.h. */
#include "run/process_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int open_proc(pid_t pid, const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return open(path, flags | O_CLOEXEC);
}

bool process_memory_read(pid_t pid, uint64_t address, void *out, size_t size)
{
	int fd = open_proc(pid, "mem", O_RDONLY);
	ssize_t got = fd < 0 ? -1 : pread(fd, out, size, (off_t)address);

	if (fd >= 0)
		close(fd);
	return got == (ssize_t)size;
}

bool process_memory_write(pid_t pid, uint64_t address, const void *bytes, size_t size)
{
	int fd = open_proc(pid, "mem", O_WRONLY);
	ssize_t done = fd < 0 ? -1 : pwrite(fd, bytes, size, (off_t)address);

	if (fd >= 0)
		close(fd);
	return done == (ssize_t)size;
}

size_t process_memory_text(pid_t pid, const char *name, char *out, size_t size)
{
	int fd = open_proc(pid, name, O_RDONLY);
	size_t length = 0;
	ssize_t got;

	while (fd >= 0 && length < size - 1 &&
	       (got = read(fd, out + length, size - 1 - length)) > 0)
		length += got;
	if (fd >= 0)
		close(fd);
	out[length] = '\0';
	return length;
}
