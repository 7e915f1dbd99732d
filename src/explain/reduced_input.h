/* The result of a search for a smaller input as JSON, for all commands that print one. */
#ifndef HENCE_EXPLAIN_REDUCED_INPUT_H
#define HENCE_EXPLAIN_REDUCED_INPUT_H

#include "reduce/reduce.h"

/* How many arguments the input begins with. */
uint32_t reduce_count_arguments(const struct input *input);

/* Is it UTF-8, without zero bytes? */
bool reduce_is_utf8(const struct str *bytes);

/* Members of a JSON object (report/json.h) that other commands have, too: "command"; and "complete",
   "unit", "original", "reduced", "failing", "passing". */
void reduce_add_command(char **command, struct str *out);
void reduce_add_inputs(const struct reduce_result *result, struct str *out);

#endif
