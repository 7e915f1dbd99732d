/* What all subcommands share: see commands.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"

/* --- what a mistyped word was meant to be: the name with the fewest edits, if they are few --- */

#define LONGEST 32

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Edit distance (Levenshtein), one row at a time. Both words are shorter than LONGEST. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST + 1], length = strlen(b);

	for (size_t k = 0; k <= length; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < length; k++) {
			size_t change = diagonal + (a[i] != b[k]);

			diagonal = row[k + 1];
			row[k + 1] = smallest(change, row[k] + 1, diagonal + 1);
		}
	}
	return row[length];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t least = strlen(word) / 2 + 1;

	if (strlen(word) >= LONGEST)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t edits = distance(word, names[i]);

		if (edits > least || edits >= strlen(names[i]))
			continue;
		if (best && edits == least)
			continue;
		best = names[i];
		least = edits;
	}
	return best;
}

/* --- running a subcommand --- */

int cli_fail(struct hence_error *error)
{
	int code = (int)error->kind;

	fprintf(stderr, "hence: %s\n", error->message);
	error_destroy(error);
	return code;
}

int cli_run(const struct command *command, int argc, char **argv)
{
	int code = command->raw ? command->raw(argc, argv) : -1;
	struct options options = {0};
	struct hence_error *error;

	if (code >= 0)
		return code;
	code = CLI_DONE;
	error = options_read(command, argv + 1, &options);
	if (!error && options.help)
		options_print_help(command, stdout);
	else if (!error)
		error = command->run(&options, &code);
	options_deinit(&options);
	return error ? cli_fail(error) : code;
}

/* What was printed may lie in a buffer: a full disk shows only now. */
int cli_finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	perror("hence: cannot write to standard output");
	return code ? code : HENCE_ERROR_INTERNAL;
}

/* --- where hence's own files are --- */

const char *cli_executable(void)
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
	char *folder = mem_strdup(cli_executable());

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

const char *cli_runtime_library(void)
{
	static const char *path;

	if (!path)
		path = find("libhence_rt.a", "lib/hence/libhence_rt.a");
	return path;
}

const char *cli_models_folder(void)
{
	static const char *path;

	if (!path)
		path = find("models", "share/hence/models");
	return path;
}
