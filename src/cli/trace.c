/* `hence trace`: runs a program, and prints each statement that it executed, with its values. */
#include "cli/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"

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
	"  -o FILE            write the trace to FILE\n"
	"  --check            print no statements: check that everything that was computed is "
	"what\n"
	"                     was recorded (exit code 3: it is not)\n"
	"  --stdin FILE       standard input of the program\n"
	"  --models FILE      models of further outside functions (may be repeated)\n"
	"  --timeout SECONDS  kill the program after that time\n"
	"  --time SECONDS     read the tape no longer than that (default 30)\n"
	"  --tape-limit SIZE  most that one process may record, like 500M (8G)\n";

static struct hence_error *open_output(const struct trace_options *options, FILE **out)
{
	*out = options->output ? fopen(options->output, "we") : stdout;
	if (*out)
		return NULL;
	return error_from_errno(HENCE_ERROR_INPUT, "-o: cannot write %s", options->output);
}

static struct hence_error *close_output(const struct trace_options *options, FILE *file)
{
	bool failed = ferror(file) | (fflush(file) != 0);

	if (options->output)
		failed |= fclose(file) != 0;
	if (!failed || !options->output)
		return NULL; /* main() looks at stdout */
	return error_from_errno(HENCE_ERROR_INPUT, "-o: cannot write %s", options->output);
}

/* --- which process --- */

static void list_processes(const struct run *run, struct str *out)
{
	for (uint32_t i = 0; i < run->recorded.size && i < 8; i++)
		str_printf(out, "%s%u %s", i ? ", " : "", i + 1,
		           run->recorded.at[i].program ? run->recorded.at[i].program : "?");
	if (run->recorded.size > 8)
		str_add(out, ", ...");
}

static struct hence_error *choose(struct run *run, const struct trace_options *options,
                                  const struct run_tape **out)
{
	uint64_t number = options->process ? options->process : 1;
	struct str list = STR_INIT;
	struct hence_error *error = NULL;

	list_processes(run, &list);
	if (number > run->recorded.size)
		error = error_create(HENCE_ERROR_INPUT, "--process %llu: %u process%s recorded: %s",
		                     (unsigned long long)number, run->recorded.size,
		                     run->recorded.size == 1 ? " was" : "es were", str_text(&list));
	else if (run->recorded.at[number - 1].tape->condition != TAPE_GOOD)
		error = error_create(HENCE_ERROR_INPUT, "the tape of process %llu is lost",
		                     (unsigned long long)number);
	else if (run->recorded.size > 1 && !options->process)
		run_note(run, "note: this is process 1 of %u; --process N chooses: %s",
		         run->recorded.size, str_text(&list));
	if (!error)
		*out = &run->recorded.at[number - 1];
	str_deinit(&list);
	return error;
}

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
	error = choose(run, options, &recorded);
	if (error)
		return error;
	modules = modules_create();
	error = trace_decode(run, options, recorded, modules, file);
	modules_destroy(modules);
	return error;
}

static void print_outcome(const struct run *run)
{
	const struct outcome *outcome = run_outcome(run);
	struct str text = STR_INIT;

	if (outcome->kind == OUTCOME_SIGNALLED || outcome->kind == OUTCOME_TIMED_OUT) {
		outcome_write_text(outcome, &text);
		fprintf(stderr, "hence: %s %s\n", run->program.name, str_text(&text));
	}
	str_deinit(&text);
	for (uint32_t i = 0; i < run->notes.size; i++)
		fprintf(stderr, "hence: %s\n", run->notes.at[i]);
}

static struct hence_error *perform(struct run *run, const struct trace_options *options, int *code)
{
	struct hence_error *error = run_check_output(options->output, "-o", false), *later;
	FILE *file;

	if (!error)
		error = run_record(run);
	if (!error)
		error = open_output(options, &file);
	if (error)
		return error;
	error = show(run, options, file, code);
	later = close_output(options, file);
	print_outcome(run);
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
