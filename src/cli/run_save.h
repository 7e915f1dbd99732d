/* --save of `hence run`. */
#ifndef HENCE_CLI_RUN_SAVE_H
#define HENCE_CLI_RUN_SAVE_H

#include "cli/run.h"

/* Writes the run to the file that --save names. */
struct hence_error *run_save(const struct run *run);

#endif
