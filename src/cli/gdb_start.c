/* Becomes the program that gdb debugs: see gdb.h. No shell reads what a report says. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/gdb.h"
#include "trial/confine.h"
#include "trial/server_page.h"

/* The next text, which is ended by a zero byte. NULL: there is none. */
static char *next_text(struct str *all, size_t *at)
{
	char *text = all->text + *at;

	if (*at >= all->length)
		return NULL;
	*at += strlen(text) + 1;
	return text;
}

static struct hence_error *read_input(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || dup2(fd, 0) < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	if (fd)
		close(fd);
	return NULL;
}

static struct hence_error *confine(const char *folder)
{
	const struct confine_limits limits = {0};
	struct confine confine;
	struct hence_error *error =
		confine_create(*folder ? folder : NULL, NULL, &limits, &confine);

	if (error)
		return error;
	errno = confine_self(&confine);
	if (errno)
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot confine the program");
	confine_deinit(&confine);
	return error;
}

/* The program does as always, but its runtime loads edited code. */
static struct hence_error *load_edit(const char *image)
{
	struct server_page page;
	struct hence_error *error = server_page_init(true, &page);
	char number[16];

	if (error)
		return error;
	page.at->wait = HENCE_WAIT_NEVER;
	server_page_load(&page, image);
	snprintf(number, sizeof(number), "%d", page.file);
	if (fcntl(page.file, F_SETFD, 0) || setenv(HENCE_SERVER_ENV, number, 1))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot hand on the edit");
	return NULL;
}

int gdb_start(char *const *words)
{
	struct input read = {VEC_INIT};
	struct hence_error *error = input_add_file(&read, INPUT_FILE, NULL, words[0]);
	VEC(char *) argv = VEC_INIT;
	char *folder, *text;
	struct str *all;
	size_t at = 0;

	if (error)
		return cli_fail(error);
	all = &read.parts.at[0].bytes;
	text = next_text(all, &at);
	folder = next_text(all, &at);
	if (*folder && chdir(folder))
		return cli_fail(error_from_errno(HENCE_ERROR_INPUT, "cannot enter %s", folder));
	error = read_input(next_text(all, &at));
	if (!error)
		error = confine(text);
	if (error)
		return cli_fail(error);
	*vec_push(&argv) = words[1];
	while (!error && (text = next_text(all, &at)))
		switch ((enum gdb_start_letter) * text) {
		case GDB_START_SET: putenv(text + 1); break;
		case GDB_START_UNSET: unsetenv(text + 1); break;
		case GDB_START_ARGUMENT: *vec_push(&argv) = text + 1; break;
		case GDB_START_EDIT: error = load_edit(text + 1); break;
		}
	if (error)
		return cli_fail(error);
	*vec_push(&argv) = NULL;
	execv(words[1], argv.at);
	return cli_fail(error_from_errno(HENCE_ERROR_INPUT, "cannot execute %s", words[1]));
}
