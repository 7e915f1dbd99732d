/* Inside transitions.h: what its files share. */
#ifndef HENCE_CAUSES_TRANSITION_WORK_H
#define HENCE_CAUSES_TRANSITION_WORK_H

#include "causes/hybrid.h"
#include "causes/transition_path.h"
#include "causes/transition_search.h"
#include "causes/transitions.h"

/* A variable of a point that was looked at. */
struct look_variable {
	uint64_t key; /* who it is: the same for the same object and offset at all points */
	char *name, *failing, *reference, *function;
	bool text;   /* or a part of one */
	bool hidden; /* the compiler's own: what a function is going to return */
	uint64_t failing_written, reference_written; /* as in struct difference */
};

/* A point that was looked at. */
struct look {
	uint64_t time;   /* in the failing run */
	uint32_t set;    /* 0: nothing could be isolated */
	bool incomplete; /* since a value that differs was in no variable */
	VEC(struct look_variable) variables;
};

/* A set of variables: keys, in order. Number n is at n - 1. */
struct key_set {
	VEC(uint64_t) keys;
};

struct finder {
	struct hybrids h;
	const struct transitions_options *options;
	struct transition_path path;
	uint64_t first, last; /* times of the failing run that are searched */
	VEC(struct key_set) sets;
	VEC(struct look) looks;
	VEC(struct hybrid_point) points; /* that are prepared, in order of time */
	struct transitions *out;
};

/* A note for the report. */
void finder_note(struct finder *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool finder_is_over(struct finder *f);

/* Makes points ready; those before are gone. */
struct hence_error *finder_prepare(struct finder *f, const uint64_t *times, uint32_t count);
struct hybrid_point *finder_point(struct finder *f, uint64_t time);

/* --- isolate.c --- */

/* The relevant variables at a point that is prepared: see struct transition_search. Looks at it. */
struct hence_error *isolate_relevant(struct finder *f, uint64_t time, uint32_t before,
                                     uint32_t after, uint32_t *out);

/* What was found at a point; NULL: it was not looked at. Valid until the next look. */
struct look *isolate_look(const struct finder *f, uint64_t time);

/* The differences at a point that are variables of the set. Caller frees with dd_set_deinit(). */
void isolate_choose(const struct finder *f, const struct hybrid_point *point, uint32_t set,
                    struct dd_set *out);

/* These differences are what is relevant at the point: its look gets them, and their set. */
void isolate_set(struct finder *f, const struct hybrid_point *point, const struct dd_set *chosen);

void look_deinit(struct look *look);

/* --- transition_choose.c --- */

/* For struct transition_search. */
uint64_t choose_count(void *context, uint64_t from, uint64_t to);
uint32_t choose_between(void *context, uint64_t from, uint64_t to, struct transition_choice *out);
uint32_t choose_back(void *context, uint64_t from, uint64_t to, struct transition_choice *out);
uint64_t choose_detour(void *context, uint64_t from, uint64_t to);

/* Do variables that are relevant at both points have the same values there? */
bool choose_same_values(const struct look *a, const struct look *b);

/* The statement of the failing run that made these variables what they are at a point: that which wrote
   the latest, or the branch by which it was not written. 0: none is known. */
uint64_t choose_maker(const struct finder *f, const struct look *look);

/* The moments of the chain: the first at which something is relevant, and those where it is something
   else than before; and where the same variables have got other values on the way, the first with the
   last of these. */
struct chain {
	VEC(uint32_t) at; /* numbers of moments */
};

/* --- proofs.c --- */

/* Does what is relevant at each moment of the chain cause what is at the next? Where it does not, it is
   found anew, and the moment gets that set: then *changed. `certain`: also where nobody can tell. The
   points of the chain are prepared. */
struct hence_error *proofs_check_chain(struct finder *f, struct transition_moments *moments,
                                       const struct chain *chain, bool certain, bool *changed);

/* Takes out moments that those before them do not cause, if the chain holds without them; marks them as apart
   if it does not. */
struct hence_error *proofs_prune_chain(struct finder *f, struct transition_moments *moments,
                                       struct chain *chain);

/* Adds the experiments that show that the variables of a point of the result, which is prepared, cause
   the failure. */
struct hence_error *proofs_add(struct finder *f, struct cause_point *point);

/* --- transition_fork.c --- */

/* A branch that went another way in the reference, and made other variables the cause. */
struct fork_step {
	uint32_t link; /* number of the moment in the chain that it comes behind */
	struct cause_point point;
};

struct fork_steps {
	VEC(struct fork_step) all; /* in order */
};

/* Looks for branches between the moments of the chain, and behind the last, at which the runs part, and
   that both runs prove: each goes on as the other when the branch goes the other way. At most one
   for each two moments: the first. What is left in `out` the caller frees: the points. */
struct hence_error *fork_steps_find(struct finder *f, const struct transition_moments *moments,
                                    const struct chain *chain, struct fork_steps *out);

/* --- transition_result.c --- */

/* Adds the moments of the chain, whose points are prepared, with their proofs, places and the branches
   between them. */
struct hence_error *result_add_points(struct finder *f, const struct transition_moments *moments,
                                      const struct chain *chain);

/* Adds every moment, for --all-points. */
struct hence_error *result_add_all(struct finder *f, const struct transition_moments *moments);

/* Adds what could not be established. */
void result_add_notes(struct finder *f);

#endif
