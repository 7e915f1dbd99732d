/*
 * Points of a run, where experiments stop.
 *
 * Time is counted in statements: point T of a run lies before its statement number T (counted from
 * 1, as execution.h does), after whatever the compiler put in front of it: the parameters of a
 * function that was just entered are in their places. In the program a statement is a *site*: the
 * machine code has five bytes of nothing there, which the runtime turns into a call when somebody
 * wants to stop (runtime/stops.c). So a point is also 'the site is passed for the Nth time', which
 * the program can count for itself.
 */
#ifndef HENCE_EXPERIMENT_POINT_H
#define HENCE_EXPERIMENT_POINT_H

#include "base/error.h"
#include "base/vec.h"
#include "trace/recording.h"

/* A statement of the program. */
struct site {
	uint32_t module; /* as loaded in this run: struct program numbers it */
	uint32_t function, block,
		statement; /* in its plan; `statement` is an ordinal in the block */
};

struct point {
	uint64_t time; /* statement number */
	struct site site;
	uint64_t
		count; /* how often the site was passed up to here, with this time: 1 is the first */
};

/* Finds the points at these times, which are in order. A walk of the tape, without values. The
   error says so when the run is shorter. */
struct hence_error *points_find(const struct recording *run, const uint64_t *times, uint32_t count,
                                struct point *out);

/* How often a site had been passed before each of these times, which are in order. */
struct hence_error *points_count(const struct recording *run, const struct site *site,
                                 const uint64_t *times, uint32_t count, uint64_t *out);

/* The first time after which the program must not be forked any more: before it does what children
   would share or undo (opens a file for writing, starts a process, makes a pipe or a socket).
   UINT64_MAX: it never does. */
struct hence_error *points_last_fork(const struct recording *run, uint64_t *out);

#endif
