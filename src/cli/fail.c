/* How a subcommand that failed ends. */
#include <stdio.h>

#include "cli/commands.h"

int cli_fail(struct hence_error *error)
{
	int code = (int)error->kind;

	fprintf(stderr, "hence: %s\n", error->message);
	error_destroy(error);
	return code;
}
