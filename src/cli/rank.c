/* `hence rank`: where to look first, from a test suite and the causes of its failures. */
#include "cli/commands.h"

int command_rank(int argc, char **argv)
{
	return cli_fail(error_create(HENCE_ERROR_INTERNAL, "not there yet"));
}
