/* `hence transitions`: where the cause of a failure moves from one variable to another. */
#include "cli/commands.h"
#include "cli/explain.h"

static const char help[] =
	"hence transitions [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Compares the failing run with one that passes. At points that both runs have, the values "
	"of\n"
	"the failing run are put into the other one by experiment, and those are isolated that "
	"decide\n"
	"between pass and failure. Shown is where these are other variables than before: each "
	"such\n"
	"transition is a place where the program could be fixed. The program must have been built "
	"with\n"
	"hence cc; it runs confined, so no file of yours is changed.\n"
	"\n"
	"  --all-points        also a table of all points that were looked at, and what was "
	"isolated\n";

int command_transitions(int argc, char **argv)
{
	return explain_command_run(argc, argv, "transitions", help);
}
