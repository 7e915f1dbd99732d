/* `hence chain`: the failure-inducing chain, from the fault to the failure. */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/explain.h"

static struct hence_error *chain(struct options *options, int *code)
{
	return explain_command_run(options, EXPLAIN_CHAIN, code);
}

const struct command command_chain = {
	.name = "chain",
	.bit = COMMAND_CHAIN,
	.formats = REPORT_ALL,
	.usage = "hence chain [OPTIONS] -- PROGRAM ARGS...",
	.summary = "show the chain of definitions and branches that leads to a failure",
	.about = "Follows a failure backwards. Before the failure, the smallest set of variables "
		 "is found that makes the reference run fail when it gets their values of the "
		 "failing run; then where these were defined, and the smallest set that brings "
		 "about these values there, and so on, until the runs are equal or the input is "
		 "reached. Each step causes the next. The program must have been built with hence "
		 "cc; it runs confined, so no file of yours is changed.",
	.run = chain,
};
