/* Source files: see source.h. */
#include "report/source.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST (64l << 20)
#define TAB     4u /* columns of a tab: indentation is only a hint here */

static void find_path(const char *directory, const char *name, char *path)
{
	if (*name == '/')
		snprintf(path, PATH_MAX, "%s", name);
	else
		snprintf(path, PATH_MAX, "%s/%s", directory, name);
}

bool source_is_newer(const char *directory, const char *name, const char *elf)
{
	struct stat source, built;
	char path[PATH_MAX];

	find_path(directory, name, path);
	return !stat(path, &source) && !stat(elf, &built) &&
	       (source.st_mtim.tv_sec > built.st_mtim.tv_sec ||
	        (source.st_mtim.tv_sec == built.st_mtim.tv_sec &&
	         source.st_mtim.tv_nsec > built.st_mtim.tv_nsec));
}

/* Without O_NONBLOCK, opening a pipe would wait for its other end. */
static FILE *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static char *read_text(const char *path, size_t *size)
{
	FILE *file = open_file(path);
	struct stat info;
	char *text;

	if (!file)
		return NULL;
	if (fstat(fileno(file), &info) || !S_ISREG(info.st_mode) || info.st_size > LARGEST) {
		fclose(file);
		return NULL;
	}
	text = mem_alloc((size_t)info.st_size + 1);
	*size = fread(text, 1, (size_t)info.st_size, file);
	text[*size] = '\0';
	fclose(file);
	return text;
}

/* As compilers count them: a carriage return that is alone ends a line, too, and a byte of 0 does not. */
static void split(struct source *s, size_t size)
{
	char *at = s->text, *end, *last = s->text + size;

	while (at < last) {
		*vec_push(&s->lines) = at;
		for (end = at; end < last && *end != '\n' && *end != '\r';)
			end++;
		at = end + 1;
		if (end < last && *end == '\r' && *at == '\n')
			at++;
		*end = '\0';
	}
}

void source_init(struct source *s, const char *directory, const char *name, const char *elf)
{
	char path[PATH_MAX];
	size_t size;

	*s = (struct source){0};
	find_path(directory, name, path);
	s->text = read_text(path, &size);
	if (!s->text) {
		s->state = SOURCE_FILE_MISSING;
		return;
	}
	if (source_is_newer(directory, name, elf))
		s->state = SOURCE_FILE_NEWER;
	split(s, size);
}

void source_deinit(struct source *s)
{
	free(s->text);
	vec_deinit(&s->lines);
	*s = (struct source){0};
}

const char *source_line(const struct source *s, unsigned line)
{
	if (s->state != SOURCE_FILE_GOOD || !line || line > s->lines.size)
		return NULL;
	return s->lines.at[line - 1];
}

void source_add_expanded(const char *text, struct str *out)
{
	unsigned column = 0;

	for (; *text; text++) {
		unsigned step = *text == '\t' ? TAB - column % TAB : 1;

		if (*text == '\t')
			str_printf(out, "%*s", (int)step, "");
		else
			str_add_char(out, (unsigned char)*text < ' ' ? '?' : *text);
		column += step;
	}
	while (out->length && out->text[out->length - 1] == ' ')
		out->text[--out->length] = '\0';
}
