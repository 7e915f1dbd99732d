/* `hence show`: prints a saved report again, in any format. */
#include "cli/commands.h"

int command_show(int argc, char **argv)
{
	return cli_fail(error_create(HENCE_ERROR_INTERNAL, "not there yet"));
}
