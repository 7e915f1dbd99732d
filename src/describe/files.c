/* How people name source files: see describe.h. */
#include <string.h>

#include "describe/describe.h"

/* Does a path end with another one? */
static bool ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), end_length = strlen(end);

	if (length < end_length || strcmp(path + length - end_length, end))
		return false;
	return length == end_length || path[length - end_length - 1] == '/';
}

static const char *without_dots(const char *path)
{
	while (!strncmp(path, "./", 2) || !strncmp(path, "../", 3))
		path = strchr(path, '/') + 1;
	return path;
}

bool describe_is_file(const char *file, const char *wanted)
{
	if (!file)
		return false;
	file = without_dots(file);
	wanted = without_dots(wanted);
	return ends_with(file, wanted) || (*wanted == '/' && ends_with(wanted, file));
}
