/* Copies into scratch directories, and what keeps them as they were: see trial_tree.h. */
#include "trial/trial_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "trial/trial_scratch.h"

/* ------ copies of one file, directory or link ------ */

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

struct hence_error *trial_copy(const char *from, const char *to, const char *path,
                               const struct stat *info)
{
	char *source = str_format("%s/%s", from, path), *copy = str_format("%s/%s", to, path);
	struct hence_error *error = NULL;

	if (S_ISREG(info->st_mode)) {
		struct timespec times[2] = {info->st_atim, info->st_mtim};
		int in = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), out;

		/* What cannot be read is left out. */
		if (in >= 0) {
			out = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
			error = out < 0 ? cannot_write(copy) : copy_bytes(in, out, copy);
			if (out >= 0) {
				fchmod(out, info->st_mode & 07777);
				/* An old time shows every later change, however soon it comes. */
				futimens(out, times);
				close(out);
			}
			close(in);
		}
	} else if (S_ISDIR(info->st_mode)) {
		/* The owner must be able to fill it and to remove it. */
		if (mkdir(copy, 0700) || chmod(copy, (info->st_mode & 07777) | 0700))
			error = cannot_write(copy);
	} else if (S_ISLNK(info->st_mode)) {
		char target[4096], *whole = NULL;
		ssize_t length = readlink(source, target, sizeof(target) - 1);
		bool failed;

		if (length >= 0) {
			target[length] = '\0';
			if (target[0] != '/' && leads_out(path, target))
				whole = realpath(source, NULL);
			failed = symlink(whole ? whole : target, copy);
			free(whole);
			error = failed ? cannot_write(copy) : NULL;
		}
	} else if (S_ISFIFO(info->st_mode) && mkfifo(copy, info->st_mode & 0777)) {
		error = cannot_write(copy);
	}
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

/* ------ copies of a directory that are put right after each run ------ */

/* Called for each entry; true: go into it if it is a directory. */
typedef bool walk_visit(void *context, const char *path, const struct stat *info);

/* Walks what is below `top`; `below` is the path of a directory in it, "" for the top. */
static void walk(const char *top, const char *below, walk_visit *visit, void *context)
{
	char *path = str_format("%s/%s", top, below);
	DIR *dir = opendir(path);
	struct dirent *entry;

	free(path);
	while (dir && (entry = readdir(dir))) {
		struct stat info;
		char *name;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW))
			continue;
		name = *below ? str_format("%s/%s", below, entry->d_name)
		              : mem_strdup(entry->d_name);
		if (visit(context, name, &info) && S_ISDIR(info.st_mode))
			walk(top, name, visit, context);
		free(name);
	}
	if (dir)
		closedir(dir);
}

struct size {
	const char *top;
	uint64_t bytes;
	uint32_t files;
};

static bool within(const struct size *size)
{
	return size->bytes <= TREE_MOST_BYTES && size->files <= TREE_MOST_FILES;
}

/* A directory with tapes (session.h): its name says little, but there is a lock. */
static bool is_session(const char *top, const char *path, const char *name)
{
	char *lock;
	bool found;

	if (strncmp(name, "hence-", 6) || strlen(name) != 12)
		return false;
	lock = str_format("%s/%s/lock", top, path);
	found = !access(lock, F_OK);
	free(lock);
	return found;
}

/* What hence makes itself, here or in another process, may lie in the directory that is copied. */
static bool is_scratch(const char *top, const char *path, const struct stat *info)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return S_ISDIR(info->st_mode) &&
	       (!strncmp(name, TRIAL_SCRATCH_PREFIX, strlen(TRIAL_SCRATCH_PREFIX)) ||
	        is_session(top, path, name));
}

static bool add_size(void *context, const char *path, const struct stat *info)
{
	struct size *size = context;

	if (is_scratch(size->top, path, info))
		return false;
	size->files++;
	if (S_ISREG(info->st_mode))
		size->bytes += info->st_size;
	return within(size);
}

bool trial_tree_measure(const char *path, uint64_t *bytes, uint32_t *files)
{
	struct size size = {path, 0, 0};

	walk(path, "", add_size, &size);
	*bytes = size.bytes;
	*files = size.files;
	return within(&size);
}

struct copying {
	const char *from, *to;
	struct hence_error *error;
};

static bool copy_entry(void *context, const char *path, const struct stat *info)
{
	struct copying *copying = context;

	if (is_scratch(copying->from, path, info))
		return false;
	if (!copying->error)
		copying->error = trial_copy(copying->from, copying->to, path, info);
	return !copying->error;
}

struct hence_error *trial_tree_copy(const char *from, const char *to)
{
	struct copying copying = {from, to, NULL};

	if (mkdir(to, 0700))
		return error_from_errno(HENCE_ERROR_INPUT, "cannot make a directory in %s", to);
	walk(from, "", copy_entry, &copying);
	return copying.error;
}

static bool remember(void *context, const char *path, const struct stat *info)
{
	struct trial_tree *tree = context;
	struct trial_tree_entry *entry = vec_push(&tree->entries);

	entry->path = mem_strdup(path);
	entry->info = *info;
	*trial_tree_map_put(&tree->map, entry->path) = tree->entries.size - 1;
	return true;
}

struct hence_error *trial_tree_create(const char *origin, const char *path, struct trial_tree *out)
{
	struct trial_tree tree = {.origin = mem_strdup(origin), .path = mem_strdup(path)};
	struct hence_error *error = trial_tree_copy(origin, path);

	if (error) {
		trial_tree_deinit(&tree);
		return error;
	}
	walk(path, "", remember, &tree);
	*out = tree;
	return NULL;
}

void trial_tree_deinit(struct trial_tree *tree)
{
	for (uint32_t i = 0; i < tree->entries.size; i++)
		free(tree->entries.at[i].path);
	vec_deinit(&tree->entries);
	trial_tree_map_deinit(&tree->map);
	free(tree->origin);
	free(tree->path);
	*tree = (struct trial_tree){0};
}

void trial_tree_leave_free(struct trial_tree *tree, const char *path)
{
	uint32_t *entry = trial_tree_map_find(&tree->map, path);

	if (entry)
		tree->entries.at[*entry].free = true;
}

/* Is the entry as it was? Times of directories and of links do not matter. */
static bool is_same(const struct trial_tree_entry *entry, const struct stat *now)
{
	const struct stat *was = &entry->info;

	if (was->st_mode != now->st_mode)
		return false;
	if (!S_ISREG(was->st_mode))
		return was->st_ino == now->st_ino;
	if (entry->free)
		return true;
	return was->st_ino == now->st_ino && was->st_size == now->st_size &&
	       was->st_mtim.tv_sec == now->st_mtim.tv_sec &&
	       was->st_mtim.tv_nsec == now->st_mtim.tv_nsec && now->st_nlink == 1;
}

/* Removes what is new or was changed, and marks what is as it was. */
static bool check_entry(void *context, const char *path, const struct stat *info)
{
	struct trial_tree *tree = context;
	uint32_t *found = trial_tree_map_find(&tree->map, path);
	struct trial_tree_entry *entry = found ? &tree->entries.at[*found] : NULL;
	char *whole;

	if (entry && is_same(entry, info)) {
		entry->seen = true;
		return true;
	}
	whole = str_format("%s/%s", tree->path, path);
	trial_scratch_remove(whole);
	tree->removed = true;
	free(whole);
	return false;
}

struct hence_error *trial_tree_restore(struct trial_tree *tree)
{
	struct hence_error *error = NULL;
	int tries = 0;

	tree->replaced = false;
	for (uint32_t i = 0; i < tree->entries.size; i++)
		tree->entries.at[i].seen = false;
	if (mkdir(tree->path, 0700) && chmod(tree->path, 0700))
		return error_from_errno(HENCE_ERROR_INPUT, "cannot put back %s", tree->path);
	/* Again after removals, since some file systems skip names then. */
	do {
		tree->removed = false;
		walk(tree->path, "", check_entry, tree);
	} while (tree->removed && tries++ < 3);
	for (uint32_t i = 0; i < tree->entries.size && !error; i++)
		if (!tree->entries.at[i].seen) {
			struct trial_tree_entry *entry;
			char *from, *to;
			struct stat info;

			tree->replaced = true;
			/* Makes an entry again that is gone, and remembers the new file. */
			entry = &tree->entries.at[i];
			from = str_format("%s/%s", tree->origin, entry->path);
			to = str_format("%s/%s", tree->path, entry->path);
			error = NULL;
			if (lstat(from, &info))
				error = error_from_errno(HENCE_ERROR_INPUT,
				                         "the copy of %s has vanished",
				                         entry->path);
			else
				error = trial_copy(tree->origin, tree->path, entry->path, &info);
			if (!error && lstat(to, &entry->info))
				error = error_from_errno(HENCE_ERROR_INPUT, "cannot put back %s",
				                         entry->path);
			free(from);
			free(to);
		}
	return error;
}
