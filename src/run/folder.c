/* The directory that sessions are made in: see folder.h. */
#include "run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <linux/magic.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

#define LEAST  (640ull << 10) /* less than this holds no tape worth having */
#define PLENTY (1ull << 30)   /* with this much, look no further */
#define GRACE  60             /* seconds that a session may take to lock itself */

/* False with errno. */
static bool is_folder(const char *path)
{
	struct stat info;

	if (stat(path, &info))
		return false;
	errno = ENOTDIR;
	return S_ISDIR(info.st_mode);
}

/* Is the directory kept in memory? Its size then says little about what may be put there. */
static bool is_memory(const char *folder)
{
	struct statfs info;

	return !statfs(folder, &info) && info.f_type == TMPFS_MAGIC;
}

/* Space that tapes may take in a directory. Some is left for others, who would fail without. */
static struct hence_error *look(const char *folder, uint64_t *out)
{
	struct statvfs info;
	uint64_t space;

	if (!is_folder(folder) || access(folder, W_OK | X_OK) || statvfs(folder, &info))
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot write to the tape directory %s: %s; set HENCE_TAPE_DIR "
		                    "to a directory with space",
		                    folder, strerror(errno));
	space = (uint64_t)info.f_bavail * info.f_frsize;
	if (is_memory(folder) && space > mem_available() / 2)
		space = mem_available() / 2;
	if (space < LEAST)
		return error_create(HENCE_ERROR_INPUT,
		                    "the tape directory %s is full; free some space there, or set "
		                    "HENCE_TAPE_DIR to another directory",
		                    folder);
	*out = (space - space / 16) & ~4095ull;
	return NULL;
}

/* The program may change its directory and still finds the session. */
static char *absolute(const char *path)
{
	char *whole = realpath(path, NULL);

	return whole ? whole : mem_strdup(path);
}

struct hence_error *folder_choose(char **out, uint64_t *space)
{
	const char *candidates[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
	const char *wanted = getenv("HENCE_TAPE_DIR");
	const char *best = NULL;
	struct hence_error *error = NULL;
	uint64_t most = 0;

	if (wanted && *wanted) {
		error = look(wanted, space);
		if (!error)
			*out = absolute(wanted);
		return error;
	}
	for (int i = 0; i < 3 && most < PLENTY; i++) {
		uint64_t here = 0;

		if (!candidates[i] || !*candidates[i])
			continue;
		error_destroy(error);
		error = look(candidates[i], &here);
		if (here > most) {
			most = here;
			best = candidates[i];
		}
	}
	if (!best)
		return error;
	error_destroy(error);
	*out = absolute(best);
	*space = most;
	return NULL;
}

static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

void folder_remove(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	/* Some file systems skip names when others are removed meanwhile. */
	for (int tries = 0; tries < 3; tries++) {
		lseek(fd, 0, SEEK_SET);

		char buffer[8192] __attribute__((aligned(16)));
		ssize_t got;

		while ((got = getdents64(fd, buffer, sizeof(buffer))) > 0) {
			for (ssize_t at = 0; at < got;) {
				struct dirent64 *entry = (struct dirent64 *)(buffer + at);

				if (!is_dots(entry->d_name))
					unlinkat(fd, entry->d_name, 0);
				at += entry->d_reclen;
			}
		}

		if (!rmdir(path))
			break;
	}
	close(fd);
}

/* --- locks --- */

/* Locks first and names afterwards: a file called 'lock' is locked as long as its owner lives. */
int folder_lock(const char *path)
{
	char *fresh = str_format("%s/lock.new", path);
	char *name = str_format("%s/lock", path);
	int fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) || rename(fresh, name))) {
		close(fd);
		fd = -1;
	}
	free(fresh);
	free(name);
	return fd;
}

/* Nobody holds its lock. A directory without a lock file is being made right now, unless it is old. */
static bool is_stale(const char *path)
{
	char *name = str_format("%s/lock", path);
	int fd = open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	struct stat info;
	bool stale;

	free(name);
	if (fd < 0)
		return !lstat(path, &info) && time(NULL) - info.st_mtime > GRACE;
	stale = !flock(fd, LOCK_EX | LOCK_NB);
	close(fd);
	return stale;
}

static bool is_ours(int folder, const char *name, const char *prefix)
{
	size_t length = strlen(prefix);
	struct stat info;

	return !strncmp(name, prefix, length) && strlen(name) == length + strlen("XXXXXX") &&
	       !fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) && S_ISDIR(info.st_mode) &&
	       info.st_uid == geteuid();
}

void folder_remove_stale(const char *folder, const char *prefix, void (*remove)(const char *path))
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		char *path;

		if (!is_ours(dirfd(dir), entry->d_name, prefix))
			continue;
		path = str_format("%s/%s", folder, entry->d_name);
		if (is_stale(path))
			remove(path);
		free(path);
	}
	closedir(dir);
}
