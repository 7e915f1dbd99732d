/* `hence gdb`: opens gdb at the moment of a step of a saved report. */
#include "cli/commands.h"

int command_gdb(int argc, char **argv)
{
	return cli_fail(error_create(HENCE_ERROR_INTERNAL, "not there yet"));
}
