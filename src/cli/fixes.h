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

/* When a search ends; 0: does not count. */
struct fixes_time {
	double until;   /* as a rule; 0: when the pair's time is over */
	double hopeful; /* if nothing plausible was found yet */
	double patient; /* if the run is too long for other methods */
};

/* Searches for edits. What is given with --pass and --tests is kept. The result is ranked. Caller frees with
   edit_search_deinit(). */
struct hence_error *fixes_search(const struct explain_command *command, struct pair *pair,
                                 const struct spectra *spectra, struct fixes_time time,
                                 struct edit_search *out);

#endif
