/* A line on the terminal that says how far a search is. Nothing is written to anything else. */
#ifndef HENCE_CLI_PROGRESS_H
#define HENCE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

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

/* Shows, when it is time, what is under way and how far it is: 'proving: 132 experiments, 850/s, 4 s left'. `until`: when it has to
   end; 0: there is no limit, and the line has the seconds that it has taken. */
void progress_count(struct progress *progress, const char *phase, uint64_t experiments,
                    double until);

/* Appends the last part of that, with the rate: ', 850/s, 4 s left'. */
void progress_add_pace(const struct progress *progress, uint64_t done, double until,
                       struct str *out);

/* Takes the line away. */
void progress_end(struct progress *progress);

/* Seconds on a clock that only goes forward. */
double progress_clock(void);

#endif
