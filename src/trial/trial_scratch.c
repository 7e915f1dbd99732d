/* The directory that trials may write to: see trial_scratch.h. */
#include "trial/trial_scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "run/folder.h"

#define LEAST    (1ull << 20) /* bytes without which nothing can be tried */
#define PATIENCE 1000         /* times that the guard looks whether workers have gone */
#define PAUSE    10000        /* microseconds between */
#define WAY_OUT  "; set HENCE_TAPE_DIR to a directory with space"

static int remove_at(int folder, const char *name);

/* Removes what is in an open directory, which it closes. */
static int empty_folder(int fd)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int failed = 0;

	if (!dir) {
		close(fd);
		return -1;
	}
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    remove_at(dirfd(dir), entry->d_name))
			failed = -1;
	closedir(dir);
	return failed;
}

static int remove_at(int folder, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	bool failed;
	int fd;

	if (!unlinkat(folder, name, 0))
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return errno == ENOENT ? 0 : -1;
	/* Programs may take away the permission to look into a directory of theirs. */
	fd = openat(folder, name, flags);
	if (fd < 0 && errno == EACCES && !fchmodat(folder, name, 0700, 0))
		fd = openat(folder, name, flags);
	if (fd < 0)
		return -1;
	fchmod(fd, 0700);
	/* Some file systems skip names when others are removed meanwhile. */
	for (int tries = 0; tries < 3; tries++) {
		int again = openat(fd, ".", flags);

		if (again >= 0)
			empty_folder(again);
		if (!unlinkat(folder, name, AT_REMOVEDIR))
			break;
	}
	failed = !faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW);
	close(fd);
	return failed ? -1 : 0;
}

int trial_scratch_remove(const char *path)
{
	return remove_at(AT_FDCWD, path);
}

/* Why a directory is not fit; NULL: it is. */
static const char *unfit(const char *folder)
{
	struct statvfs info;

	if (access(folder, W_OK | X_OK) || statvfs(folder, &info))
		return strerror(errno);
	if (info.f_flag & ST_NOEXEC)
		return "programs cannot be executed there";
	if ((uint64_t)info.f_bavail * info.f_frsize < LEAST)
		return "it is full";
	return NULL;
}

static void remove_dead(const char *path)
{
	trial_scratch_remove(path);
}

/* Are there parts of workers? Their names are numbers. */
static bool has_parts(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
	if (dir)
		closedir(dir);
	return found;
}

/* For the guard: workers end what they run and remove their parts first. */
static void clean(const char *path)
{
	for (int i = 0; i < PATIENCE && has_parts(path); i++)
		usleep(PAUSE);
	trial_scratch_remove(path);
}

struct hence_error *trial_scratch_create(struct trial_scratch *out)
{
	struct trial_scratch scratch = {.lock = -1, .guard = GUARD_INIT};
	struct hence_error *error;
	char *folder;
	const char *candidates[] = {getenv("HENCE_TAPE_DIR"), "/dev/shm", getenv("TMPDIR"), "/tmp"};
	bool wanted = candidates[0] && *candidates[0];
	const char *why = NULL;
	int i;

	for (i = wanted ? 0 : 1; i < 4; i++) {
		if (!candidates[i] || !*candidates[i])
			continue;
		why = unfit(candidates[i]);
		if (!why || wanted)
			break;
	}
	i = i == 4 ? 3 : i;
	if (why) {
		error = error_create(HENCE_ERROR_INPUT,
		                     "cannot make a scratch directory in %s: %s" WAY_OUT,
		                     candidates[i], why);
	} else {
		folder = realpath(candidates[i], NULL);
		error = folder ? NULL
		               : error_from_errno(HENCE_ERROR_INPUT, "cannot use %s",
		                                  candidates[i]);
	}
	if (error)
		return error;
	folder_remove_stale(folder, TRIAL_SCRATCH_PREFIX, remove_dead);
	scratch.path = str_format("%s/" TRIAL_SCRATCH_PREFIX "XXXXXX", folder);
	if (guard_start(scratch.path, clean, &scratch.guard))
		scratch.lock = folder_lock(scratch.path);
	if (scratch.lock < 0) {
		error = error_create(HENCE_ERROR_INPUT,
		                     "cannot make a scratch directory in %s: %s" WAY_OUT, folder,
		                     strerror(errno));
		guard_stop(&scratch.guard);
		free(scratch.path);
	} else {
		*out = scratch;
	}
	free(folder);
	return error;
}

void trial_scratch_destroy(struct trial_scratch *scratch)
{
	if (!scratch->path)
		return;
	trial_scratch_remove(scratch->path);
	guard_stop(&scratch->guard);
	close(scratch->lock);
	free(scratch->path);
	*scratch = (struct trial_scratch){.lock = -1, .guard = GUARD_INIT};
}

void trial_scratch_leave(const struct trial_scratch *scratch, const char *part)
{
	trial_scratch_remove(part);
	/* Each looks after its own part is gone, so the last one finds none. */
	if (!has_parts(scratch->path))
		trial_scratch_remove(scratch->path);
}

uint64_t trial_scratch_space(const struct trial_scratch *scratch)
{
	struct statvfs info;

	if (statvfs(scratch->path, &info))
		return 0;
	return (uint64_t)info.f_bavail * info.f_frsize;
}
