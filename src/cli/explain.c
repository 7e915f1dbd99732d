/* `hence explain`: why a program failed. */
#include "cli/explain.h"

#include <stdio.h>

#include "cli/commands.h"

static const char help[] =
	"hence explain [OPTIONS] -- PROGRAM ARGS...\n"
	"hence explain [OPTIONS] FILE.c ... [-- ARGS...]\n"
	"\n"
	"Explains a failure as a chain of causes from the input to the failure. Each step names a\n"
	"variable, its value in the failing run and in a run that passes, and is proven by "
	"experiment:\n"
	"the program was run again with just that value changed. The program must have been built\n"
	"with hence cc; sources are compiled first, with the options that stand among them. It "
	"runs\n"
	"confined, so no file of yours is changed.\n"
	"\n";

static const char method_help[] =
	"  --method METHOD     all (the default), compare, chain, transitions, or tree: only that\n"
	"                      one; tree looks at the failing run alone\n"
	"  --no-edits          do not look for small changes of the code with which it passes\n";

int command_explain(int argc, char **argv)
{
	struct explain_command command;
	struct explain_compiled compiled = {0};
	struct hence_error *error = explain_command_parse(argc, argv, "explain", &command);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (command.report.help) {
		printf("%s%s%s%s%s%s%s", help, method_help, explain_options_help,
		       explain_tests_help, report_output_help, report_record_help,
		       failure_options_help);
	} else {
		if (command.report.sources)
			error = explain_compile(&command.report, false, &compiled, &code);
		if (!error && !code)
			error = explain_perform(&command, &code);
	}
	explain_compiled_deinit(&compiled);
	explain_command_deinit(&command);
	return error ? cli_fail(error) : code;
}
