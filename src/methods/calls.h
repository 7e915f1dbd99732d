/*
 * The calls of a run, by time: where functions are entered and left. They tell apart locals of two calls that lie at
 * the same address, and searches in time choose points at them first.
 */
#ifndef HENCE_METHODS_CALLS_H
#define HENCE_METHODS_CALLS_H

#include "align/align.h"
#include "base/vec.h"
#include "state/state.h"
#include "trace/recording.h"

/* A call: its first statement, and the first one after it has returned; UINT64_MAX: it did not. */
struct one_call {
	uint64_t entered, left;
	uint64_t frame; /* address of its locals; 0: not known */
	uint64_t size;  /* of them */
};

struct call_level {
	VEC(struct one_call) calls; /* in order */
};

struct calls {
	VEC(struct call_level) levels; /* by depth: 0 is what was called from outside, as main is */
	uint64_t main;                 /* its first statement; 0: it was not called */
	bool partial;                  /* there were too many calls: deep ones are not in it */
};

/* Decodes the run up to and with statement `until`. Caller frees with calls_deinit(). */
MUST_USE struct hence_error *calls_find(const struct recording *run, uint64_t until,
                                        struct calls *out);
void calls_deinit(struct calls *calls);

/* How many calls are under way at a point. */
uint32_t calls_depth(const struct calls *calls, uint64_t time);

/* The first statement of the call under way at a point that has so many others below it. */
uint64_t calls_entered(const struct calls *calls, uint64_t time, uint32_t depth);

/* The first statement of the call under way at a point that has a local at this address; 0: none. */
uint64_t calls_owner(const struct calls *calls, uint64_t time, uint64_t address);

/* Who a variable is that differs at a point: the same number at all points. It is the object and offset;
   a local also is of the same call. A text is one variable, whatever part of it differs. What has no
   address in the failing run is known by where it is in the reference. */
uint64_t calls_key(const struct calls *calls, uint64_t time, const struct difference *d);

/* Does the statement at that point call a function of the program? Is it the first of its function? */
bool calls_is_call(const struct calls *calls, uint64_t time);
bool calls_is_entry(const struct calls *calls, uint64_t time);

struct call_times {
	VEC(uint64_t) at;
};

/* How many points both runs have between two times of the failing run, without them. */
uint64_t calls_count_between(const struct alignment *alignment, uint64_t from, uint64_t to);

/* At most so many of them, in order, evenly chosen; all if they are no more. Where there are more, calls of functions
   come first, those nearest to main. Appended to `out`, which is empty. */
void calls_between(const struct calls *calls, const struct alignment *alignment, uint64_t from,
                   uint64_t to, uint32_t most, struct call_times *out);

/* Where the last functions that the one on top has called, at most so many, were called and where they
   return, before `time`; in order. Appended to `out`. */
void calls_inside(const struct calls *calls, uint64_t time, uint32_t most, struct call_times *out);

#endif
