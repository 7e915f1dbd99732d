/* `hence fix`: small changes of the code with which a failing program passes. */
#ifndef HENCE_CLI_FIX_H
#define HENCE_CLI_FIX_H

#include "cli/explain.h"

/* Looks for plausible edits. *code as in explain_find(). Caller frees with explanation_deinit(). */
struct hence_error *fix_find(const struct explain_command *command, struct explanation *out,
                             int *code);

#endif
