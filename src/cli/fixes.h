/* The search for plausible edits, for `hence fix` and `hence explain`: from a failing run that was found. */
#ifndef HENCE_CLI_FIXES_H
#define HENCE_CLI_FIXES_H

#include "cli/explain.h"
#include "cli/pair.h"
#include "edit/search.h"

/* What a search needs of the pair: no tests, nobody who stops it. */
struct edit_search_options fixes_options(const struct pair *pair);

/* Without --tests, the given inputs that pass are tests, too: which lines they execute, and the failing run does. What cannot
   be recorded tells nothing. Caller frees with spectra_deinit(). */
struct spectra;
void fixes_find_executed(const struct explain_command *command, struct pair *pair,
                         struct spectra *out);

/* Searches until `until` (0: as long as the pair may), or until `patient` (0: the same) if the run is too long for other methods. What is given with --pass and --tests is kept. The result is
   ranked. Caller frees with edit_search_deinit(). */
struct hence_error *fixes_search(const struct explain_command *command, struct pair *pair,
                                 const struct spectra *spectra, double until, double patient,
                                 struct edit_search *out);

#endif
