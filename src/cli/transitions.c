/* `hence transitions`: where the cause of a failure moves from one variable to another. */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/explain.h"

static struct hence_error *transitions(struct options *options, int *code)
{
	return explain_command_run(options, EXPLAIN_TRANSITIONS, code);
}

const struct command command_transitions = {
	.name = "transitions",
	.bit = COMMAND_TRANSITIONS,
	.formats = REPORT_ALL,
	.usage = "hence transitions [OPTIONS] -- PROGRAM ARGS...",
	.summary = "show where the cause of a failure moves from one variable to another",
	.about = "Compares the failing run with one that passes. At points that both runs have, "
		 "the values of the failing run are put into the other one by experiment, and "
		 "those are isolated that decide between pass and failure. Shown is where these "
		 "are other variables than before: each such transition is a place where the "
		 "program could be fixed. The program must have been built with hence cc; it runs "
		 "confined, so no file of yours is changed.",
	.run = transitions,
};
