/* Varied files and their names: see worker_files.h. */
#include "trial/worker_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

static bool has_dots(const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && !strncmp(path, "..", 2))
			return true;
		path += length;
		path += strspn(path, "/");
	}
	return false;
}

/* Without './' and double slashes. Caller frees. */
static char *plain_path(const char *path)
{
	struct str plain = STR_INIT;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (length && !(length == 1 && *path == '.')) {
			if (plain.length)
				str_add_char(&plain, '/');
			str_add_bytes(&plain, path, length);
		}
		path += length;
		path += strspn(path, "/");
	}
	return str_steal(&plain);
}

/* What follows the directory in the path; NULL: it is not below it. */
static const char *behind(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	if (!folder[1]) /* the root */
		return path + 1;
	return !strncmp(path, folder, length) && path[length] == '/' ? path + length + 1 : NULL;
}

/* The path of a file below the working directory, by its name if that says it, else by where it
   really lies; NULL: it lies elsewhere. Caller frees. */
static char *find_below(const char *name)
{
	char *real = realpath(name, NULL), *here = realpath(".", NULL), *below = NULL;
	const char *rest = real && here ? behind(real, here) : NULL;

	if (rest || !real)
		below = *name == '/' || has_dots(name) ? (rest ? mem_strdup(rest) : NULL)
		                                       : plain_path(name);
	free(real);
	free(here);
	return below;
}

/* The first end of the argument that is the path of a file, if it is this file: what stands before
   it, such as '--in=', is not part of a path. NULL: it is not. */
static const char *find_end(const char *argument, const struct stat *file)
{
	size_t length = strlen(argument);
	struct stat info;

	for (const char *at = argument + (length < PATH_MAX ? 0 : length - PATH_MAX); *at; at++)
		if (!stat(at, &info) && !S_ISDIR(info.st_mode))
			return info.st_dev == file->st_dev && info.st_ino == file->st_ino ? at
			                                                                  : NULL;
	return NULL;
}

/* Does a name of the file lead to it also in a copy of the working directory? */
static bool leads_there(const struct worker_file *file, const char *name)
{
	char *plain = plain_path(name);
	bool same = file->below && *name != '/' && !strcmp(plain, file->below);

	free(plain);
	return same;
}

static bool is_known(const struct worker_file *file, const char *name)
{
	for (uint32_t i = 0; i < file->names.size; i++)
		if (!strcmp(file->names.at[i], name))
			return true;
	return false;
}

void worker_file_init(struct worker_file *file, const char *name, const struct input *input)
{
	struct stat info;
	bool there = !stat(name, &info);

	*file = (struct worker_file){.name = name, .below = find_below(name)};
	for (uint32_t i = 0; there && i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		const char *end = part->kind == INPUT_ARGUMENT
		                          ? find_end(str_text(&part->bytes), &info)
		                          : NULL;

		if (!end)
			continue;
		file->named = true;
		if (!leads_there(file, end) && !is_known(file, end))
			*vec_push(&file->names) = mem_strdup(end);
	}
}

void worker_file_deinit(struct worker_file *file)
{
	for (uint32_t i = 0; i < file->names.size; i++)
		free(file->names.at[i]);
	vec_deinit(&file->names);
	free(file->below);
}

size_t worker_file_match(const struct worker_file *file, const char *argument)
{
	size_t length = strlen(argument), longest = 0;

	for (uint32_t i = 0; i < file->names.size; i++) {
		size_t size = strlen(file->names.at[i]);

		if (size > longest && length >= size &&
		    !strcmp(argument + length - size, file->names.at[i]))
			longest = size;
	}
	return longest;
}
