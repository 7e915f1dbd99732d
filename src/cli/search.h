/* A search through inputs under way: what the terminal shows, and when it has to end. */
#ifndef HENCE_CLI_SEARCH_H
#define HENCE_CLI_SEARCH_H

#include "cli/failure_options.h"
#include "cli/progress.h"

struct search {
	struct progress progress;
	double until; /* time; 0: no limit */
	bool isolates;
	/* Asked as well; may be NULL. True ends the search. */
	bool (*stop)(void *context);
	void *context;
};

/* Sets the callbacks of `reduce`, whose context becomes the search, but for `better`; and catches the
   signals that end it: the first ends the search, a second one hence. */
void search_begin(struct search *search, const struct failure_options *options,
                  struct reduce_options *reduce);

/* Catches these signals, also when somebody else (session.h) has taken them meanwhile: the first is
   noted, a second one is for who had them before. */
void search_catch_signals(void);

/* Has a signal come? */
bool search_is_interrupted(void);

/* Takes the progress away and tells what the user should know. */
void search_end(struct search *search, const struct reduce_result *result);

/* Has a signal or the time ended it? */
bool search_is_over(const struct search *search);

/* Says why a search has no result, and gives the exit code. */
int search_refuse(const struct failure_options *options, const struct reduce_result *result);

#endif
