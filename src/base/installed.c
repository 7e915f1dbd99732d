/* Where hence's own files are: see installed.h. */
#include "base/installed.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

const char *installed_executable(void)
{
	static char path[PATH_MAX];
	ssize_t size;
	char *name;

	if (path[0])
		return path;
	size = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (size <= 0)
		strcpy(path, "./hence"); /* no /proc: right when started from its own folder */
	/* hence-eval is beside it. */
	name = strrchr(path, '/');
	if (name && !strcmp(name, "/hence-eval"))
		strcpy(name, "/hence");
	return path;
}

/* The executable's folder, or the one above that. Caller frees with free(). */
static char *folder_above(int levels)
{
	char *folder = mem_strdup(installed_executable());

	while (levels-- > 0) {
		char *slash = strrchr(folder, '/');

		if (!slash)
			break;
		*slash = '\0';
	}
	return folder;
}

/* FOLDER/beside if that exists, else PREFIX/installed. Kept until the end of the run. */
static const char *find(const char *beside, const char *installed)
{
	char *folder = folder_above(1);
	char *path = str_format("%s/%s", folder, beside);

	free(folder);
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	folder = folder_above(2);
	path = str_format("%s/%s", folder, installed);
	free(folder);
	return path;
}

const char *installed_runtime_library(void)
{
	static const char *path;

	if (!path)
		path = find("libhence_rt.a", "lib/hence/libhence_rt.a");
	return path;
}

const char *installed_models_folder(void)
{
	static const char *path;

	if (!path)
		path = find("models", "share/hence/models");
	return path;
}
