/* Stand-ins for compilers: see wrappers.h. */
#include "cc/wrappers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/str.h"
#include "cc/clang.h"
#include "cc/scratch.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Versions of compilers that someone may have. */
#define OLDEST 4
#define NEWEST 30

/* Writes FOLDER/NAME, a script that runs hence cc with `option` first. */
static struct hence_error *write_script(const char *folder, const char *name, const char *hence,
                                        const char *option)
{
	struct hence_error *error = NULL;
	char *path = str_format("%s/%s", folder, name);
	struct str program GUARD(str_deinit) = STR_INIT;
	FILE *file = fopen(path, "we");

	str_add_quoted(&program, hence);
	if (file)
		fprintf(file, "#!/bin/sh\nexec %s cc%s \"$@\"\n", str_text(&program), option);
	if (!file || fclose(file) || chmod(path, 0755))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
	free(path);
	return error;
}

/* One more name for FOLDER/cc. */
static struct hence_error *add_name(const char *folder, const char *name)
{
	struct hence_error *error = NULL;
	char *path = str_format("%s/%s", folder, name);

	if (symlink("cc", path))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
	free(path);
	return error;
}

static struct hence_error *add_names(const char *folder)
{
	static const char *const stems[] = {"gcc", "clang", "x86_64-linux-gnu-gcc",
	                                    "x86_64-pc-linux-gnu-gcc"};
	struct hence_error *error = NULL;

	for (size_t i = 0; i < COUNT(stems) && !error; i++) {
		error = add_name(folder, stems[i]);
		for (int version = OLDEST; version <= NEWEST && !error; version++) {
			char *name = str_format("%s-%d", stems[i], version);

			error = add_name(folder, name);
			free(name);
		}
	}
	return error;
}

static struct hence_error *add_mark(const char *folder)
{
	char *path = str_format("%s/" CLANG_MARK, folder);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	struct hence_error *error = NULL;

	if (fd < 0)
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
	else
		close(fd);
	free(path);
	return error;
}

struct hence_error *wrappers_create(const char *hence, char **folder)
{
	char *made;
	struct hence_error *error = scratch_create("hence-build", &made);

	if (error)
		return error;
	error = add_mark(made);
	if (!error)
		error = write_script(made, "cc", hence, "");
	if (!error)
		error = write_script(made, "c89", hence, " -std=c90");
	if (!error)
		error = write_script(made, "c99", hence, " -std=c99");
	if (!error)
		error = add_names(made);
	if (error)
		scratch_remove(made);
	else
		*folder = made;
	return error;
}
