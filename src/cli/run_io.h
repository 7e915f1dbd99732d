/* --io of `hence run`: a list of what the calls of outside functions read and wrote. */
#ifndef HENCE_CLI_RUN_IO_H
#define HENCE_CLI_RUN_IO_H

#include "cli/run.h"
#include "trace/walk.h"

struct run_io;

/* Starts the list in a file. Caller frees with run_io_close(). */
struct hence_error *run_io_open(const char *path, struct run_io **out);

/* Ends the list; an error if not all of it could be written. NULL is fine. */
struct hence_error *run_io_close(struct run_io *io);

/* What follows is about this tape, whose walk begins now. */
void run_io_begin(struct run_io *io, const struct run_tape *recorded, struct walk *walk);

/* Its walk has ended; `error`, if there is one, says why it did not come to the end. */
void run_io_end(struct run_io *io, const struct hence_error *error);

#endif
