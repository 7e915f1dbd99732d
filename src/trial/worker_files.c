/* Varied files and their names: see worker_files.h. */
#include "trial/worker_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"

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

/*
 * Where a file is to lie in a copy of the working directory; NULL: it lies elsewhere. Caller frees.
 *
 * The directories on the way are those that the links of the name lead to, so that none of them is a link in the copy: one
 * with an absolute target would lead from there to the user's own files, which would be written. The file itself need not be
 * there any more; if it is a link, the copy has a file instead.
 */
static char *find_below(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char *folder = slash ? mem_strndup(name, (size_t)(slash + 1 - name)) : mem_strdup(".");
	char *rest = NULL, *below = NULL;

	if (*base && strcmp(base, ".") && strcmp(base, "..") &&
	    (access(name, F_OK) || path_is_within(name, ".")))
		rest = path_within(folder, ".");
	if (rest)
		below = *rest ? str_format("%s/%s", rest, base) : mem_strdup(base);
	free(rest);
	free(folder);
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
