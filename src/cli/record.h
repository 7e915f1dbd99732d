/* What commands share that look into a recorded run: which process, how it ended, where to write. */
#ifndef HENCE_CLI_RECORD_H
#define HENCE_CLI_RECORD_H

#include "cli/run.h"
#include "slice/slice.h"

/* The process that --process chose; 0: none was, so the first. Notes that there are others. */
struct hence_error *record_choose(struct run *run, uint64_t process, const struct run_tape **out);

/* Where a process died, for execution_run(). False: it did not, or nobody knows. Valid as long as the
   outcome. */
bool record_death(const struct outcome *outcome, struct walk_place *out);

/* The recorded process for who slices it; `death` is filled if it died. All three must outlive
   what is given. */
struct recording record_slice_run(const struct run *run, const struct run_tape *recorded,
                                  struct modules *modules, struct walk_place *death);

/* The file of -o, or stdout when it is NULL. Caller closes with record_close(). */
struct hence_error *record_open(const char *path, FILE **out);
struct hence_error *record_close(const char *path, FILE *file);

/* The same for the file of another option, which messages name. */
struct hence_error *record_open_option(const char *path, const char *option, FILE **out);
struct hence_error *record_close_option(const char *path, const char *option, FILE *file);

/* Prints how the program ended if that is not well, and the notes, to stderr. */
void record_print_outcome(const struct run *run);

/* The time, of CLOCK_MONOTONIC, in seconds. */
double record_now(void);

#endif
