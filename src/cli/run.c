/* `hence run`: runs a program, records it, and says how it went. */
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/run_save.h"

#define DIFFERS 3 /* exit code when two runs gave different tapes */

static const char help[] =
	"hence run [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Runs a program that was built with hence cc (or a script that runs such programs),\n"
	"records it, and prints a short account to standard error when it has ended. The exit\n"
	"code is the program's own (128 + N when signal N killed it), 2 for bad input, 4 for an\n"
	"internal error.\n"
	"\n"
	"  --save FILE        keep the recording in FILE\n"
	"  --account FILE     write the account to FILE, as lines 'key: value'\n"
	"  --io FILE          write to FILE which call read and which wrote which bytes\n"
	"  --timeout SECONDS  kill the program after that time\n"
	"  --time SECONDS     read the tape no longer than that (default 30)\n"
	"  --stdin FILE       standard input of the program\n"
	"  --models FILE      models of further outside functions (may be repeated)\n"
	"  --check-repeat     run twice and compare the recordings (exit code 3: they differ)\n"
	"  --tape-limit SIZE  most that one process may record, like 500M (8G)\n"
	"  --no-walk          do not count what was executed\n"
	"  -v, --verbose      also times, and the slowdown against a run without recording\n";

static struct hence_error *print_account(const struct run *run)
{
	struct str text = STR_INIT;
	const char *path = run->options->account;
	struct hence_error *error = NULL;
	FILE *file;

	if (!path) {
		run_account_text(run, &text);
		fputs(str_text(&text), stderr);
		str_deinit(&text);
		return NULL;
	}
	run_account_keys(run, &text);
	file = fopen(path, "we");
	if (!file || fputs(str_text(&text), file) < 0 || fflush(file))
		error = error_from_errno(HENCE_ERROR_INPUT, "--account: cannot write %s", path);
	if (file)
		fclose(file);
	str_deinit(&text);
	return error;
}

/* Everything between the end of the program and the account. */
static struct hence_error *examine(struct run *run, int *code)
{
	struct hence_error *error = NULL, *unread = NULL;
	bool same = true;

	if (run->options->save)
		error = run_save(run);
	if (!error && !run->options->no_walk)
		unread = run_walk(run);
	if (!error && run->options->verbose)
		error = run_measure(run);
	if (!error && run->options->check_repeat)
		error = run_check_repeat(run, &same);
	*code = same ? outcome_exit_code(run_outcome(run)) : DIFFERS;
	if (!error)
		return unread;
	error_destroy(unread);
	return error;
}

static struct hence_error *perform(struct run *run, int *code)
{
	struct hence_error *error = run_record(run), *later;

	if (error)
		return error;
	error = examine(run, code);
	/* What is known is told in any case. */
	later = print_account(run);
	if (!error)
		return later;
	error_destroy(later);
	return error;
}

int command_run(int argc, char **argv)
{
	struct run_options options;
	struct run run = {.options = &options, .input = -1, .output = -1};
	struct hence_error *error = run_options_parse(argc, argv, &options);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (options.help)
		fputs(help, stdout);
	else
		error = perform(&run, &code);
	run_deinit(&run);
	run_options_deinit(&options);
	return error ? cli_fail(error) : code;
}
