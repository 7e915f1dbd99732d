/*
 * The calls of a run, by time: where functions are entered and left. Choosing points at calls needs them,
 * and so does telling apart locals of two calls that lie at the same address.
 */
#ifndef HENCE_METHODS_TRANSITION_PATH_H
#define HENCE_METHODS_TRANSITION_PATH_H

#include "base/vec.h"
#include "state/state.h"
#include "trace/recording.h"

/* A call: its first statement, and the first one after it has returned; UINT64_MAX: it did not. */
struct path_call {
	uint64_t entered, left;
	uint64_t frame; /* address of its locals; 0: not known */
	uint64_t size;  /* of them */
};

struct path_level {
	VEC(struct path_call) calls; /* in order */
};

struct transition_path {
	VEC(struct path_level) levels; /* by depth: 0 is what was called from outside, as main is */
	uint64_t main;                 /* its first statement; 0: it was not called */
	bool partial;                  /* there were too many calls: deep ones are not in it */
};

/* Decodes the run up to and with statement `until`. Caller frees with transition_path_deinit(). */
struct hence_error *transition_path_find(const struct recording *run, uint64_t until,
                                         struct transition_path *out);
void transition_path_deinit(struct transition_path *path);

/* How many calls are under way at a point. */
uint32_t transition_path_depth(const struct transition_path *path, uint64_t time);

/* The first statement of the call under way at a point that has so many others below it. */
uint64_t transition_path_entered(const struct transition_path *path, uint64_t time, uint32_t depth);

/* The first statement of the call under way at a point that has a local at this address; 0: none. */
uint64_t transition_path_owner(const struct transition_path *path, uint64_t time, uint64_t address);

/* Who a variable is that differs at a point: the same number at all points. It is the object and offset;
   a local also is of the same call. A text is one variable, whatever part of it differs. What has no
   address in the failing run is known by where it is in the reference. */
uint64_t transition_path_key(const struct transition_path *path, uint64_t time,
                             const struct difference *d);

/* Does the statement at that point call a function of the program? Is it the first of its function? */
bool transition_path_calls(const struct transition_path *path, uint64_t time);
bool transition_path_begins(const struct transition_path *path, uint64_t time);

/* Times between two others, without them, at which functions of the lowest depth that has any are
   called, begin, or have returned, and that `usable` takes; in order. Appended to `out`. */
struct path_times {
	VEC(uint64_t) at;
};
void transition_path_between(const struct transition_path *path, uint64_t from, uint64_t to,
                             bool (*usable)(void *context, uint64_t time), void *context,
                             struct path_times *out);

/* Where the last functions that the one on top has called, at most so many, were called and where they
   return, before `time`; in order. Appended to `out`. */
void transition_path_inside(const struct transition_path *path, uint64_t time, uint32_t most,
                            struct path_times *out);

#endif
