/* Copies into scratch directories: see trial_copy.h. */
#include "trial/trial_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "trial/trial_scratch.h"

static struct hence_error *cannot_write(const char *path)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "cannot write %s: %s; set HENCE_TAPE_DIR to a directory with space",
	                    path, strerror(errno));
}

static struct hence_error *write_all(int fd, const char *path, const char *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return cannot_write(path);
		bytes += done;
		size -= done;
	}
	return NULL;
}

static struct hence_error *copy_bytes(int in, int out, const char *path)
{
	char buffer[65536];
	ssize_t got;

	while ((got = read(in, buffer, sizeof(buffer))) > 0) {
		struct hence_error *error = write_all(out, path, buffer, got);

		if (error)
			return error;
	}
	return got < 0 ? error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path) : NULL;
}

static struct hence_error *copy_file(const char *from, const char *to, const struct stat *info)
{
	struct timespec times[2] = {info->st_atim, info->st_mtim};
	int in = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), out;
	struct hence_error *error;

	if (in < 0)
		return NULL;
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	error = out < 0 ? cannot_write(to) : copy_bytes(in, out, to);
	if (out >= 0) {
		fchmod(out, info->st_mode & 07777);
		/* An old time shows every later change, however soon it comes. */
		futimens(out, times);
		close(out);
	}
	close(in);
	return error;
}

/* Does a relative link from the directory of `path` lead out of the top? */
static bool leads_out(const char *path, const char *target)
{
	int depth = 0;

	for (const char *at = path; (at = strchr(at, '/')); at++)
		depth++;
	while (*target) {
		size_t length = strcspn(target, "/");

		if (length == 2 && !strncmp(target, "..", 2))
			depth--;
		else if (length && strncmp(target, ".", length))
			depth++;
		if (depth < 0)
			return true;
		target += length;
		target += strspn(target, "/");
	}
	return false;
}

static struct hence_error *copy_link(const char *from, const char *to, const char *path)
{
	char target[4096], *whole = NULL;
	ssize_t length = readlink(from, target, sizeof(target) - 1);
	bool failed;

	if (length < 0)
		return NULL;
	target[length] = '\0';
	if (target[0] != '/' && leads_out(path, target))
		whole = realpath(from, NULL);
	failed = symlink(whole ? whole : target, to);
	free(whole);
	return failed ? cannot_write(to) : NULL;
}

static struct hence_error *copy_folder(const char *to, const struct stat *info)
{
	/* The owner must be able to fill it and to remove it. */
	if (mkdir(to, 0700) || chmod(to, (info->st_mode & 07777) | 0700))
		return cannot_write(to);
	return NULL;
}

struct hence_error *trial_copy(const char *from, const char *to, const char *path,
                               const struct stat *info)
{
	char *source = str_format("%s/%s", from, path), *copy = str_format("%s/%s", to, path);
	struct hence_error *error = NULL;

	if (S_ISREG(info->st_mode))
		error = copy_file(source, copy, info);
	else if (S_ISDIR(info->st_mode))
		error = copy_folder(copy, info);
	else if (S_ISLNK(info->st_mode))
		error = copy_link(source, copy, path);
	else if (S_ISFIFO(info->st_mode) && mkfifo(copy, info->st_mode & 0777))
		error = cannot_write(copy);
	free(source);
	free(copy);
	return error;
}

struct hence_error *trial_write(const char *path, const void *bytes, size_t size, mode_t mode)
{
	int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(path, flags | O_TRUNC, mode | 0200);
	struct hence_error *error;

	if (fd < 0) {
		trial_scratch_remove(path);
		fd = open(path, flags | O_EXCL, mode | 0200);
	}
	if (fd < 0)
		return cannot_write(path);
	error = write_all(fd, path, bytes, size);
	close(fd);
	return error;
}
