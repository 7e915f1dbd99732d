/* `hence verify`: makes the experiments of a saved report again. */
#include "cli/commands.h"

int command_verify(int argc, char **argv)
{
	return cli_fail(error_create(HENCE_ERROR_INTERNAL, "not there yet"));
}
