/* Inside backward.h: what its files share. */
#ifndef HENCE_CAUSES_BACKWARD_WORK_H
#define HENCE_CAUSES_BACKWARD_WORK_H

#include "causes/backward.h"
#include "causes/transition_path.h"

/* Variables that bring about the goal, at a point. */
struct backward_set {
	struct hybrid_point *point;
	struct dd_set chosen; /* of its differences */
	enum hybrid_way way;  /* in which it is sufficient */
	uint64_t before;      /* the nearest point before at which they are not the same; 0: they
	                          are from the beginning on */
};

/* A variable of a step: who it is, and who wrote it. */
struct backward_element {
	uint64_t key, a_written, b_written;
};

/* A step, in the making. */
struct backward_step {
	struct cause_point point;
	uint64_t maker, until;         /* as in struct described_point */
	const struct align_fork *fork; /* it is this branch; NULL: it is variables */
	bool hidden;  /* they are only results of functions on their way to a variable */
	bool shown;   /* an experiment shows that it brings about the next step */
	bool defined; /* a statement defined one of them here, or they are the input */
	VEC(struct backward_element) elements;
};

/* Where a set was found. */
struct backward_visit {
	struct site site;
	uint64_t time;
};

struct walker {
	struct hybrids h;
	const struct backward_options *options;
	struct transition_path path;
	uint64_t first, last;              /* times of the failing run that are searched */
	VEC(struct hybrid_point *) points; /* that are prepared */
	VEC(struct backward_step) steps;   /* from the last to the first */
	VEC(struct backward_visit) visits; /* of points with a set, in that order */
	bool passed;                       /* over steps of a loop */
	uint64_t nothing;                  /* nothing was sufficient there; 0: that is not so */
	uint64_t equal;                    /* the states are equal there; 0: that is not so */
	char *why;
	struct causes *out;
};

bool walker_is_over(struct walker *w);

/* --- backward_points.c --- */

/* Makes points ready, which are aligned, in any order; those that are there already stay. */
struct hence_error *walker_prepare(struct walker *w, const uint64_t *times, uint32_t count);

/* The point, ready and compared. Valid until walker_forget(). */
struct hence_error *walker_point(struct walker *w, uint64_t time, struct hybrid_point **out);

/* Frees all points behind that time. */
void walker_forget(struct walker *w, uint64_t time);

/* --- backward_search.c --- */

/* The last point before the latest definition among the variables, in either run; 0: they were so from
   the beginning on. */
uint64_t search_before(const struct walker *w, const struct backward_set *set);
uint64_t search_before_one(const struct walker *w, const struct difference *d);

/* Goes back to the first point at which the set is still the same. */
struct hence_error *search_back(struct walker *w, struct hybrid_goal *goal,
                                struct backward_set *set);

/* --- backward_steps.c --- */

void step_deinit(struct backward_step *step);

/* Adds a step of these variables with its proofs; `goal` is the next step, NULL: the symptom. */
struct hence_error *steps_add(struct walker *w, const struct backward_set *set,
                              struct hybrid_goal *goal);

/* The branch at that time, at which the runs part; NULL: there is none. */
const struct align_fork *steps_fork(const struct walker *w, uint64_t time);

/* Adds a step of that branch; `goal` is the next step, NULL: the symptom. `if_shown`: only if an experiment
   shows that it brings that about. */
struct hence_error *steps_add_branch(struct walker *w, const struct align_fork *fork,
                                     struct hybrid_goal *goal, bool if_shown);

/* --- backward_changed.c --- */

/* If the runs are of two versions, adds the branch that only the failing one has and that decided whether the
   variables of the last step, which is this set, were defined so. */
struct hence_error *changed_add(struct walker *w, const struct backward_set *set);

/* The states are equal at a point, and what differs at `now` is in no variable: adds the branch between that is
   another in the reference, since that is patched there or of another version, if an experiment shows
   that it decides. */
struct hence_error *changed_end(struct walker *w, uint64_t equal, uint64_t now,
                                struct hybrid_goal *goal);

/* --- backward_result.c --- */

/* All steps are found: describes them and gives them to the result, in order of time. */
struct hence_error *steps_finish(struct walker *w);

#endif
