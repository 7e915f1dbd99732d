/* A line on the terminal that says how far a search is. Nothing is written to anything else. */
#ifndef HENCE_CLI_PROGRESS_H
#define HENCE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/str.h"

struct progress {
	bool shown; /* standard error is a terminal that can take a line back */
	bool dirty; /* there is a line */
	double last;
	double began; /* what is under way */
};

void progress_begin(struct progress *progress);

/* True when it is time to show something new. */
bool progress_due(struct progress *progress);

/* Replaces the line; it is cut at the width of the terminal. */
void progress_show(struct progress *progress, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes the line away. */
void progress_end(struct progress *progress);

/* The line of this process shows how far a search is: its budget shows there what is under way, and is over when a signal has
   come. */
struct search;
void progress_watch(struct search *search);

#endif
