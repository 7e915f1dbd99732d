/* Where files really lie: see path.h. */
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

char *path_within(const char *path, const char *folder)
{
	char *real = realpath(path, NULL), *top = realpath(folder, NULL), *rest = NULL;
	/* The root is the only directory that ends with a slash. */
	size_t length = top && top[1] ? strlen(top) : 0;

	if (real && top && !strcmp(real, top))
		rest = mem_strdup("");
	else if (real && top && !strncmp(real, top, length) && real[length] == '/')
		rest = mem_strdup(real + length + 1);
	free(real);
	free(top);
	return rest;
}

bool path_is_within(const char *path, const char *folder)
{
	char *rest = path_within(path, folder);
	bool within = rest != NULL;

	free(rest);
	return within;
}
