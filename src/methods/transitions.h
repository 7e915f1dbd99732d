/*
 * Cause transitions (M2): where the cause of the failure moves from one variable to another.
 *
 * At points that both runs have, the differences between the two states are applied in subsets to
 * the reference run; delta debugging isolates those that decide between pass and fail. Where they
 * are other variables at a later point than at an earlier one, the points between are searched,
 * calls first, then statements, until two neighbours are left: the statement between them is a
 * transition.
 */
#ifndef HENCE_METHODS_TRANSITIONS_H
#define HENCE_METHODS_TRANSITIONS_H

#include "methods/cause.h"
#include "methods/comparison.h"
#include "state/state.h"

struct transitions {
	struct causes found; /* the first step is where main starts */
	/* With all_points: those that were looked at, with their places and variables. A transition has others than the
	   last before it that has any. */
	VEC(struct explanation_step) all;
};

/* `all_points`: keeps every point that was looked at. Caller frees with transitions_deinit(). */
MUST_USE struct hence_error *transitions_find(const struct comparison *pair, bool all_points,
                                              struct transitions *out);
void transitions_deinit(struct transitions *transitions);

/*
 * The search in time (cts of Cleve and Zeller): between two points with other relevant variables there is
 * a transition; points between are looked at until two neighbours are left.
 *
 *	cts(t1, t2) = nothing                       if the variables are the same at both
 *	            = cts(t1, t) and cts(t, t2)     for a point t between
 *	            = the transition (t1, t2)       if there is none
 *
 * The same variables may be relevant at both with other values: then the variable was written between, and
 * others may have been the cause in the meantime. So the point before it was written is looked at, too.
 *
 * It knows no program: sets of variables are numbers, equal for equal sets, 0 where nothing could be
 * isolated. Points are asked for many at a time, since finding out the states at them takes a reading of
 * the whole run; few of them are then looked at.
 */

#define TRANSITION_CHOICES 20u /* points of an interval that are prepared at a time */
#define TRANSITION_FEW     14u

struct transition_choice {
	uint64_t time;
	bool likely; /* looked at before the others */
};

struct transition_search {
	/* How many points there are between two times, without them. */
	uint64_t (*count)(void *context, uint64_t from, uint64_t to);
	/* Points between two times, without them, in order; at most TRANSITION_CHOICES, and all if
	   they are no more than TRANSITION_FEW. */
	uint32_t (*between)(void *context, uint64_t from, uint64_t to,
	                    struct transition_choice *out);
	/* The same, near the second: each about twice as far away from it as the one before. */
	uint32_t (*back)(void *context, uint64_t from, uint64_t to, struct transition_choice *out);
	/* A point between two at which the same variables are relevant, where others may be: one of them
	   got another value there. 0: there is none. */
	uint64_t (*detour)(void *context, uint64_t from, uint64_t to);
	/* Some of these, which are in order, will be looked at next; of those before, none will. */
	struct hence_error *(*prepare)(void *context, const uint64_t *times, uint32_t count);
	/* The variables at a point that was prepared. Those at points before and after it are likely
	   to be the same. */
	struct hence_error *(*relevant)(void *context, uint64_t time, uint32_t before,
	                                uint32_t after, uint32_t *out);
	const struct budget *budget; /* asked between points */
	void *context;
};

/* A point that was looked at. */
struct transition_moment {
	uint64_t time;
	uint32_t set;
	bool checked; /* for a detour since the one before; where nothing was isolated, back from it */
	bool apart; /* what was relevant before did not make it so */
	bool direct; /* no point is left between the one before and this one, where the set is another */
};

struct transition_moments {
	VEC(struct transition_moment) all; /* in order */
	bool stopped;
};

/* Begins with the moments that are there, at least two, and adds what lies between; may be called again
   when the caller has changed sets. After an error `moments` has what was found so far. */
MUST_USE struct hence_error *transition_search_run(const struct transition_search *search,
                                                   struct transition_moments *moments);

/* Puts in a moment at its place in time. */
void transition_moments_add(struct transition_moments *moments, uint64_t time, uint32_t set);

#endif
