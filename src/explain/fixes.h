/* Plausible edits of the program, for `hence fix` and `hence explain`: the search from a failing run that was found, what is shown
   of them, and what they say about lines. */
#ifndef HENCE_EXPLAIN_FIXES_H
#define HENCE_EXPLAIN_FIXES_H

#include "edit/search.h"
#include "explain/illustrations.h"
#include "explain/question.h"
#include "explain/references.h"
#include "report/explanation.h"

/* What a search needs of the pair: no tests, nobody who stops it. */
struct edit_search_options fixes_options(struct references *pair);

/* Without --tests, the given inputs that pass are tests, too: which lines they execute, and the failing run does. What cannot
   be recorded tells nothing. Caller frees with spectra_deinit(). */
struct spectra;
void fixes_find_executed(const struct explain_question *question, struct references *pair,
                         struct spectra *out);

/* When a search ends; 0: does not count. */
struct fixes_time {
	bool thrifty; /* also as soon as edits that are left are unlikely beside those that were found */
	double until;   /* as a rule; 0: when the pair's time is over */
	double hopeful; /* if nothing plausible was found yet */
	double patient; /* if the run is too long for other methods */
};

/* Searches for edits. What is given with --pass and --tests is kept. The result is ranked. Caller frees with
   edit_search_deinit(). */
MUST_USE struct hence_error *fixes_search(const struct explain_question *question,
                                          struct references *pair, const struct spectra *spectra,
                                          struct fixes_time time, struct edit_search *out);

/* Adds the edits of a search, which were ranked, as fixes. */
void explain_add_fixes(const struct edit_search *search, struct explain_sources *sources,
                       struct explanation *out);

/* Adds what they say as evidence, and ranks the suspects anew. */
void explain_suspect_fixes(const struct edit_search *search, struct explain_sources *sources,
                           struct explanation *out);

/* After all evidence: the fixes of the likeliest line first. */
void explain_order_fixes(struct explanation *e);

/* Looks for plausible edits and nothing else. Without a verdict in `out`, `refused` says why there is no explanation; caller
   frees both. */
MUST_USE struct hence_error *fixes_find(const struct explain_question *question,
                                        struct explanation *out, struct refused *refused);

#endif
