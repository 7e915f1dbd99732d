/* `hence compare`: comparative causality of the failing run and one that passes. */
#include "cli/commands.h"
#include "cli/explain.h"

static const char help[] =
	"hence compare [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Compares the failing run with one that passes, from the failure backwards. At each step "
	"those\n"
	"values are found that make both runs show, at the next step, what the other one showed "
	"when\n"
	"they are exchanged. Experiments cannot leave the ways that the two runs went. The program "
	"must\n"
	"have been built with hence cc; it runs confined, so no file of yours is changed.\n"
	"\n"
	"  --dual-slice        print the statements of both runs that lead to what is different in "
	"them\n"
	"  --no-rails          let experiments go where they go, for comparison\n"
	"  --exact             take what the exact model finds, in which only the dual slice is\n"
	"                      executed, and tell where experiments find something else\n"
	"  --count             also tell how many experiments it takes at the same points to find\n"
	"                      what decides among all values that differ\n";

int command_compare(int argc, char **argv)
{
	return explain_command_run(argc, argv, "compare", help);
}
