/* The result of a search for a smaller input as JSON, for all commands that print one. */
#ifndef HENCE_CLI_REDUCE_H
#define HENCE_CLI_REDUCE_H

#include "reduce/reduce.h"

/* Members of a JSON object (report/json.h) that other commands have, too: "command"; and "complete",
   "unit", "original", "reduced", "failing", "passing". */
void reduce_add_command(char **command, struct str *out);
void reduce_add_inputs(const struct reduce_result *result, struct str *out);

#endif
