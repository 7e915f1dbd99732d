/* hence build: runs a build whose calls of cc, gcc and clang are calls of hence cc. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/str.h"
#include "cc/child.h"
#include "cc/scratch.h"
#include "cc/wrappers.h"
#include "cli/commands.h"

static const char usage[] =
	"usage: hence build [--] COMMAND [ARGS...]\n"
	"Runs COMMAND (such as make) with cc, gcc, clang and their versioned names replaced by "
	"hence cc.\n";

/*
 * Builds that ask the environment get CC from us: a path that stays when the stand-ins are gone,
 * since configure and cmake write it down for later. What the user chose stays.
 */
static void set_cc(const char *hence)
{
	const char *chosen = getenv("CC");
	char *path;

	if (chosen && *chosen) {
		if (chosen[0] == '/' && !strstr(chosen, "hence"))
			fprintf(stderr,
			        "hence build: note: CC=%s is not replaced; unset it or name it "
			        "without its folder\n",
			        chosen);
		return;
	}
	path = str_format("%s-cc", hence);
	if (!access(path, X_OK))
		setenv("CC", path, 1);
	free(path);
}

static struct hence_error *run_command(char **argv, int *code)
{
	int status = 0;
	struct hence_error *error = child_run(argv, -1, &status);

	if (error)
		return error;
	*code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return NULL;
}

static struct hence_error *build(char **argv, int *code)
{
	char *folder = NULL;
	const char *hence = installed_executable();
	struct hence_error *error;

	child_guard();
	error = wrappers_create(hence, &folder);
	if (!error) {
		const char *old;
		char *path;

		set_cc(hence);
		old = getenv("PATH");
		path = str_format("%s:%s", folder, old ? old : "/usr/local/bin:/usr/bin:/bin");
		setenv("PATH", path, 1);
		free(path);
		error = run_command(argv, code);
		scratch_remove(folder);
	}
	return error;
}

int command_build(int argc, char **argv)
{
	struct hence_error *error;
	int first = 1;
	int code = 0;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "--"))
		first = 2;
	else if (argc > 1 && argv[1][0] == '-')
		return cli_fail(error_create(HENCE_ERROR_INPUT,
		                             "build: unknown option %s; see hence build --help",
		                             argv[1]));
	if (first >= argc)
		return cli_fail(error_create(HENCE_ERROR_INPUT,
		                             "build: no command given; try 'hence build -- make'"));
	error = build(argv + first, &code);
	return error ? cli_fail(error) : code;
}
