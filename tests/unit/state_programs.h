/* The programs in tests/state, for tests of states: see state_compare.c. */
#ifndef HENCE_TESTS_UNIT_STATE_PROGRAMS_H
#define HENCE_TESTS_UNIT_STATE_PROGRAMS_H

#include <dirent.h>
#include <stdio.h>

#include "state_runs.h"

static inline char *programs_read(const char *name, const char *ending)
{
	char *path = str_format("%s/tests/state/%s%s", getenv("SRC"), name, ending);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct str text = STR_INIT;
	char bytes[4096];
	ssize_t size;

	if (fd < 0)
		fail_msg("%s cannot be opened", path);
	while ((size = read(fd, bytes, sizeof(bytes))) > 0)
		str_add_bytes(&text, bytes, (size_t)size);
	close(fd);
	free(path);
	return str_steal(&text);
}

/* The words behind the nth `// run:`. Caller frees with free(). */
static inline char *programs_arguments(const char *source, unsigned nth)
{
	const char *line = source;

	for (unsigned i = 0; i <= nth && line; i++)
		line = strstr(i ? line + 1 : line, "// run:");
	assert_non_null(line);
	line += strlen("// run:");
	return mem_strndup(line, strcspn(line, "\n"));
}

/* The next point: a comment in the text, which *at is then behind. NULL: no more. Caller frees with
   free(). */
static inline char *programs_point(const char **at)
{
	const char *start = strstr(*at, "/*"), *stop = start ? strstr(start, "*/") : NULL;

	if (!stop)
		return NULL;
	*at = stop;
	return mem_strndup(start + 2, (size_t)(stop - start - 2));
}

static inline void programs_each(void (*check)(const char *name, const char *source))
{
	char *folder = str_format("%s/tests/state", getenv("SRC"));
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort);
	unsigned checked = 0;

	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		char *dot = strrchr(entries[i]->d_name, '.');

		if (dot && !strcmp(dot, ".c")) {
			char *source;

			*dot = '\0';
			source = programs_read(entries[i]->d_name, ".c");
			check(entries[i]->d_name, source);
			free(source);
			checked++;
		}
		free(entries[i]);
	}
	free(entries);
	free(folder);
	assert_true(checked > 0);
}

#endif
