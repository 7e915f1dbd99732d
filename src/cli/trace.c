/* `hence trace`: runs a program, and prints each statement that it executed, with its values. */
#include "cli/trace.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/record.h"

#define MISMATCHES 3 /* exit code of --check when something does not fit */

static const char help[] =
	"hence trace [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Runs a program that was built with hence cc, and prints the statements that it executed\n"
	"when it has ended, one per line, with the values that they read and wrote. Errors with\n"
	"memory that it made are printed to standard error. The program's own standard output\n"
	"goes to standard error, unless the trace goes to a file. The exit code is 0 when the "
	"trace\n"
	"was printed (however the program ended), 2 for bad input, 4 for an internal error.\n"
	"\n"
	"  --function F       only statements of this function\n"
	"  --line FILE:N      only statements of this line\n"
	"  --variable V       only statements that read or write it: x, list->next, main.buf\n"
	"  --from N, --to N   only statements with these numbers\n"
	"  --process N        of several recorded processes the Nth (default: the first)\n"
	"  --json             one JSON object per line\n"
	"  -o, --output FILE  write the trace to FILE\n"
	"  --check            print no statements: check that everything that was computed is "
	"what\n"
	"                     was recorded (exit code 3: it is not)\n"
	"  --stdin FILE       standard input of the program\n"
	"  --models FILE      models of further outside functions (may be repeated)\n"
	"  --timeout SECONDS  kill the program after that time\n"
	"  --time SECONDS     read the tape no longer than that (default 30)\n"
	"  --tape-limit SIZE  most that one process may record, like 500M (8G)\n";

/* --- the whole --- */

static struct hence_error *show(struct run *run, const struct trace_options *options, FILE *file,
                                int *code)
{
	struct hence_error *error;
	struct modules *modules;
	const struct run_tape *recorded;
	bool clean = true;

	if (options->check) {
		error = trace_check(run, options, file, &clean);
		*code = clean ? 0 : MISMATCHES;
		return error;
	}
	error = record_choose(run, options->process, &recorded);
	if (error)
		return error;
	modules = modules_create();
	error = trace_decode(run, options, recorded, modules, file);
	modules_destroy(modules);
	return error;
}

static struct hence_error *perform(struct run *run, const struct trace_options *options, int *code)
{
	struct hence_error *error = run_check_output(options->output, "-o", false), *later;
	FILE *file;

	if (!error)
		error = run_record(run);
	if (!error)
		error = record_open(options->output, &file);
	if (error)
		return error;
	error = show(run, options, file, code);
	later = record_close(options->output, file);
	record_print_outcome(run);
	if (!error)
		return later;
	error_destroy(later);
	return error;
}

int command_trace(int argc, char **argv)
{
	struct trace_options options;
	struct run run = {.options = &options.run, .input = -1, .output = -1};
	struct hence_error *error = trace_options_parse(argc, argv, &options);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (!options.output)
		run.output = 2;
	if (options.run.help)
		fputs(help, stdout);
	else
		error = perform(&run, &options, &code);
	run_deinit(&run);
	trace_options_deinit(&options);
	return error ? cli_fail(error) : code;
}
