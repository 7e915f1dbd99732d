/* What commands that look into a recorded run share: which process, where to write. */
#ifndef HENCE_CLI_RECORD_H
#define HENCE_CLI_RECORD_H

#include <stdio.h>

#include "explain/recorded.h"

/* The process that --process chose; 0: none was, so the first. Notes that there are others. */
MUST_USE struct hence_error *record_choose(struct run *run, uint64_t process,
                                           const struct run_tape **out);

/* The file of -o, or stdout when it is NULL. Caller closes with record_close(). */
MUST_USE struct hence_error *record_open(const char *path, FILE **out);
MUST_USE struct hence_error *record_close(const char *path, FILE *file);

/* The same for the file of another option, which messages name. */
MUST_USE struct hence_error *record_open_option(const char *path, const char *option, FILE **out);
MUST_USE struct hence_error *record_close_option(const char *path, const char *option, FILE *file);

/* Prints how the program ended if that is not well, and the notes, to stderr. */
void record_print_outcome(const struct run *run);

#endif
