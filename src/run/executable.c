/* The program that a command names: see executable.h. */
#include "run/executable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "run/blobs.h"
#include "run/libraries.h"

/* What cannot be run, in the words of the system where they are the usual ones. */
static struct hence_error *refuse(const char *name, int reason)
{
	const char *why = strerror(reason);

	if (reason == ENOENT && !strchr(name, '/') && !access(name, F_OK))
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot run %s: it is not in PATH; for the file of this "
		                    "directory say ./%s",
		                    name, name);
	if (reason == ENOENT)
		why = "no such file";
	else if (reason == EISDIR)
		why = "it is a directory";
	else if (reason == EACCES)
		why = "no permission to execute it (chmod +x?)";
	return error_create(HENCE_ERROR_INPUT, "cannot run %s: %s", name, why);
}

/* 0, or the errno that says why the file cannot be executed. */
static int check_file(const char *path)
{
	struct stat info;

	if (stat(path, &info))
		return errno;
	if (S_ISDIR(info.st_mode))
		return EISDIR;
	if (!S_ISREG(info.st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

/* Looks through PATH; like execvp(), goes on behind a file that may not be executed. */
static int search_path(const char *name, char **out)
{
	const char *folders = getenv("PATH");
	int reason = ENOENT;

	if (!folders)
		folders = "/bin:/usr/bin";
	for (;;) {
		size_t length = strcspn(folders, ":");
		char *path = length ? str_format("%.*s/%s", (int)length, folders, name)
		                    : str_format("./%s", name);
		int found = check_file(path);

		if (!found) {
			*out = path;
			return 0;
		}
		free(path);
		if (found == EACCES)
			reason = EACCES;
		if (!folders[length])
			return reason;
		folders += length + 1;
	}
}

struct hence_error *executable_locate(const char *name, char **out)
{
	int reason = 0;

	if (!*name)
		reason = ENOENT;
	else if (!strchr(name, '/'))
		reason = search_path(name, out);
	else if (!(reason = check_file(name)))
		*out = mem_strdup(name);
	return reason ? refuse(name, reason) : NULL;
}

static struct hence_error *is_elf(const char *name, const char *path, bool *out)
{
	char magic[4] = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", name);
	got = read(fd, magic, sizeof(magic));
	close(fd);
	*out = got == 4 && !memcmp(magic, "\177ELF", 4);
	return NULL;
}

/* Programs that people put in front of the one they mean. */
static bool only_runs_others(const char *path)
{
	static const char *const names[] = {"sh",   "bash", "dash",    "zsh",  "ksh",  "busybox",
	                                    "make", "env",  "timeout", "nice", "time", "xargs"};
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(base, names[i]))
			return true;
	return false;
}

static struct hence_error *check_elf(struct executable *executable)
{
	struct blobs *blobs;
	struct hence_error *error = blobs_open(executable->path, &blobs);
	bool instrumented = false, has_ir = false;

	if (error)
		return error;
	instrumented = blobs_instrumented(blobs);
	has_ir = blobs_count(blobs) > 0;
	blobs_close(blobs);
	if (instrumented && !has_ir)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s has lost its section " HENCE_IR_SECTION
		                    "; rebuild it with hence cc and do not remove the section",
		                    executable->name);
	if (instrumented)
		return NULL;
	error = libraries_instrumented(executable->path, &instrumented);
	if (error || instrumented)
		return error;
	executable->script = only_runs_others(executable->path);
	if (executable->script)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "%s was not built with hence cc; rebuild with CC=hence-cc, or use "
	                    "'hence build -- make'",
	                    executable->name);
}

struct hence_error *executable_find(const char *name, struct executable *out)
{
	struct executable executable = {0};
	struct hence_error *error = executable_locate(name, &executable.path);
	bool elf = false;

	if (error)
		return error;
	executable.name = mem_strdup(name);
	error = is_elf(name, executable.path, &elf);
	executable.script = !elf;
	if (!error && elf)
		error = check_elf(&executable);
	if (error)
		executable_deinit(&executable);
	else
		*out = executable;
	return error;
}

void executable_deinit(struct executable *executable)
{
	free(executable->name);
	free(executable->path);
	*executable = (struct executable){0};
}
