/* The temporary directory: see scratch.h. */
#include "cc/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

struct hence_error *scratch_create(const char *name, char **path)
{
	const char *folder = getenv("TMPDIR");
	struct hence_error *error;
	char *made;

	if (!folder || !*folder)
		folder = "/tmp";
	made = str_format("%s/%s-XXXXXX", folder, name);
	if (!mkdtemp(made)) {
		error = error_from_errno(HENCE_ERROR_INPUT,
		                         "cannot make a temporary directory in %s (set TMPDIR)",
		                         folder);
		free(made);
		return error;
	}
	*path = made;
	return NULL;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
	(void)info;
	(void)kind;
	(void)place;
	remove(path);
	return 0;
}

void scratch_remove(char *path)
{
	if (!path)
		return;
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(path);
}

static bool copy(int from, int to)
{
	char block[65536];
	ssize_t got;

	while ((got = read(from, block, sizeof(block))) > 0) {
		for (ssize_t done = 0; done < got;) {
			ssize_t put = write(to, block + done, (size_t)(got - done));

			if (put < 0 && errno == EINTR)
				continue;
			if (put < 0)
				return false;
			done += put;
		}
	}
	return got == 0;
}

static struct hence_error *copy_to_path(int from, const char *target)
{
	int to = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool good;
	int saved;

	if (to < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", target);
	good = copy(from, to);
	saved = errno;
	if (close(to) && good) {
		good = false;
		saved = errno;
	}
	if (good)
		return NULL;
	scratch_retract(target);
	errno = saved;
	return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", target);
}

struct hence_error *scratch_deliver(const char *file, const char *target)
{
	struct hence_error *error = NULL;
	int from = open(file, O_RDONLY | O_CLOEXEC);

	if (from < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read %s", file);
	if (strcmp(target, "-"))
		error = copy_to_path(from, target);
	else if (!copy(from, STDOUT_FILENO))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot write to standard output");
	close(from);
	return error;
}

void scratch_retract(const char *target)
{
	struct stat info;

	if (strcmp(target, "-") && !stat(target, &info) && S_ISREG(info.st_mode))
		unlink(target);
}
