/* Functions that are designated correct: see tree.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tree.h"

#define USUAL_FILE "hence.correct"

static bool is_name(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '$')
			return false;
	return length && !isdigit((unsigned char)*text);
}

/* --- the command line --- */

static struct hence_error *add_list(const char *list, struct tree_correct *out)
{
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");

		if (!is_name(at, length))
			return error_create(HENCE_ERROR_INPUT,
			                    "--correct %s: '%.*s' is no name of a function; give "
			                    "names with commas between them",
			                    list, (int)length, at);
		*vec_push(&out->names) = mem_strndup(at, length);
		at += length;
		if (!*at)
			return NULL;
	}
}

/* --- the file --- */

/* One line: a name, or nothing, and perhaps a comment. */
static struct hence_error *add_line(const char *path, unsigned number, char *line,
                                    struct tree_correct *out)
{
	char *begin = line + strspn(line, " \t\r\n"), *end;

	line[strcspn(line, "#")] = '\0';
	for (end = begin + strlen(begin); end > begin && strchr(" \t\r\n", end[-1]);)
		*--end = '\0';
	if (end == begin)
		return NULL;
	/* 'f()' is what people write, too. */
	if (end - begin > 2 && !strcmp(end - 2, "()"))
		end -= 2;
	if (!is_name(begin, (size_t)(end - begin)))
		return error_create(HENCE_ERROR_INPUT,
		                    "%s:%u: give one name of a function a line; # begins a comment",
		                    path, number);
	*vec_push(&out->names) = mem_strndup(begin, (size_t)(end - begin));
	return NULL;
}

static struct hence_error *read_lines(const char *path, FILE *file, struct tree_correct *out)
{
	struct hence_error *error = NULL;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	for (unsigned number = 1; !error && (length = getline(&line, &room, file)) >= 0; number++) {
		if (strlen(line) != (size_t)length)
			error = error_create(HENCE_ERROR_INPUT,
			                     "%s:%u: this is no text; give one name of a function "
			                     "a line",
			                     path, number);
		else
			error = add_line(path, number, line, out);
	}
	if (!error && ferror(file))
		error = error_from_errno(HENCE_ERROR_INPUT, "--correct-file: cannot read %s", path);
	free(line);
	return error;
}

static struct hence_error *add_file(const char *path, bool usual, struct tree_correct *out)
{
	FILE *file = fopen(path, "re");
	struct hence_error *error;

	if (!file && usual && errno == ENOENT)
		return NULL;
	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--correct-file: cannot read %s", path);
	error = read_lines(path, file, out);
	fclose(file);
	return error;
}

/* --- both --- */

struct hence_error *tree_correct_read(const struct tree_command *command, struct tree_correct *out)
{
	struct hence_error *error =
		add_file(command->correct ? command->correct : USUAL_FILE, !command->correct, out);

	for (uint32_t i = 0; !error && i < command->lists.size; i++)
		error = add_list(command->lists.at[i], out);
	return error;
}

void tree_correct_deinit(struct tree_correct *correct)
{
	for (uint32_t i = 0; i < correct->names.size; i++)
		free(correct->names.at[i]);
	vec_deinit(&correct->names);
}

bool tree_correct_has(const struct tree_correct *correct, const char *function)
{
	for (uint32_t i = 0; i < correct->names.size; i++)
		if (!strcmp(correct->names.at[i], function))
			return true;
	return false;
}
