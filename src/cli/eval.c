/* `hence eval`: how good explanations are, on programs whose faults are known. */
#include "cli/commands.h"

int command_eval(int argc, char **argv)
{
	return cli_fail(error_create(HENCE_ERROR_INTERNAL, "not there yet"));
}
