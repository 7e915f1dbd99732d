/* `hence eval`: a program of its own, hence-eval (src/research), which is beside hence. */
#include <stdlib.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/installed.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/report_options.h"

static int execute(int argc, char **argv)
{
	char *path GUARD_FREE = str_format("%s-eval", installed_executable());
	struct hence_error *error;

	execv(path, argv);
	error = error_from_errno(HENCE_ERROR_INPUT, "cannot execute %s", path);
	return cli_fail(error);
}

const struct command command_eval = {
	.name = "eval",
	.bit = COMMAND_EVAL,
	.formats = 1u << REPORT_TEXT,
	.usage = "hence eval [OPTIONS] MANIFEST.json\n"
		 "hence eval --tables RESULTS.json\n"
		 "hence eval --pdg PROGRAM",
	.summary = "measure how good explanations are, on programs whose faults are known",
	.about = "Runs methods of hence on programs whose faults are known, and measures how near "
		 "to the faults they come. The manifest lists the programs, how they fail and "
		 "where the faults are. Prints tables in Markdown; -o keeps everything that was "
		 "measured as JSON. Whatever a program or a method does wrong is only a line in "
		 "the tables. Ctrl-C ends the evaluation and prints what is known.",
	.raw = execute,
};
