/* The user's test: see trial_test.h. */
#include "trial/trial_test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

#define BLANKS " \t\n"

/* The length of the first word, if the shell takes it as it is written; else 0. */
static size_t plain_word(const char *text)
{
	size_t length = strcspn(text, BLANKS);

	return strcspn(text, "|&;<>()$`\\\"'*?[]#~=%!{}^") < length ? 0 : length;
}

static struct hence_error *check(const char *word)
{
	struct stat info;

	if (stat(word, &info))
		return error_create(HENCE_ERROR_INPUT, "cannot run the test %s: %s", word,
		                    errno == ENOENT ? "no such file" : strerror(errno));
	if (S_ISDIR(info.st_mode))
		return error_create(HENCE_ERROR_INPUT, "cannot run the test %s: it is a directory",
		                    word);
	if (access(word, X_OK))
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot run the test %s: no permission to execute it (chmod "
		                    "+x?)",
		                    word);
	return NULL;
}

/* In single quotes, as one word for the shell. */
static void add_quoted(struct str *out, const char *text)
{
	str_add_char(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			str_add(out, "'\\''");
		else
			str_add_char(out, *text);
	str_add_char(out, '\'');
}

/* A name without a slash that is a file here but not in PATH is what people mean by './name'. */
static struct hence_error *check_name(const char *word, const char *test)
{
	struct stat info;
	char *line;
	bool known;

	if (stat(word, &info) || !S_ISREG(info.st_mode))
		return NULL;
	line = str_format("command -v '%s' >/dev/null 2>&1", word);
	known = !system(line);
	free(line);
	if (known)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "cannot run the test %s: it is not in PATH; for the file of this "
	                    "directory say ./%s",
	                    word, test);
}

struct hence_error *trial_test_line(const char *test, char **out)
{
	size_t blanks = strspn(test, BLANKS), length = plain_word(test + blanks);
	const char *rest = test + blanks + length;
	char *word = mem_strndup(test + blanks, length), *path = NULL;
	struct hence_error *error = NULL;
	struct str line = STR_INIT;

	if (!*(test + blanks))
		error = error_create(HENCE_ERROR_INPUT, "the test is empty; say --test COMMAND");
	else if (length)
		error = strchr(word, '/') ? check(word) : check_name(word, test + blanks);
	if (!error && strchr(word, '/'))
		path = realpath(word, NULL);
	if (path)
		add_quoted(&line, path);
	else
		str_add(&line, word);
	str_add(&line, rest);
	if (length && !rest[strspn(rest, BLANKS)])
		str_add(&line, " \"$@\"");
	if (error)
		str_deinit(&line);
	else
		*out = str_steal(&line);
	free(path);
	free(word);
	return error;
}
