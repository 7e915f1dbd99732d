/* A line on the terminal that says how far a search is. Nothing is written to anything else. */
#ifndef HENCE_CLI_PROGRESS_H
#define HENCE_CLI_PROGRESS_H

#include <stdbool.h>

struct progress {
	bool shown; /* standard error is a terminal that can take a line back */
	bool dirty; /* there is a line */
	double last;
};

void progress_begin(struct progress *progress);

/* True when it is time to show something new. */
bool progress_due(struct progress *progress);

/* Replaces the line; it is cut at the width of the terminal. */
void progress_show(struct progress *progress, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes the line away. */
void progress_end(struct progress *progress);

/* Seconds on a clock that only goes forward. */
double progress_clock(void);

#endif
