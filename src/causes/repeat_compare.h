/* Inside repeat.h: experiments that compare two runs. */
#ifndef HENCE_CAUSES_REPEAT_COMPARE_H
#define HENCE_CAUSES_REPEAT_COMPARE_H

#include "causes/hybrid.h"
#include "causes/repeat_work.h"

struct repeat_times {
	VEC(uint64_t) at;
};

/* A branch of both runs, or of the failing one, as a C programmer says it. */
struct repeat_branch {
	uint64_t time;   /* in the failing run */
	char *changed;   /* its condition */
	char *values[2]; /* how it went; of the failing run: 1 */
};

struct repeat_comparison {
	struct repeat_items *items;
	struct hybrids h;
	struct symptom symptom;
	struct rails *rails[2];          /* NULL: none are needed, or there are none */
	uint64_t last;                   /* the last point that both runs have before the failure */
	VEC(uint64_t) times;             /* of the items, in the run that is changed; 0: none */
	VEC(struct hybrid_point) points; /* in order of time */
	VEC(struct repeat_branch) branches;
};

/* The point at that time of the failing run; NULL: it is not prepared. */
struct hybrid_point *repeat_point(struct repeat_comparison *c, uint64_t time);

/* Describes the branches that items are about. */
struct hence_error *repeat_describe_branches(struct repeat_comparison *c);

/* Make the experiment of an item again, at that time of the failing run; a branch, at `own` of the run that is changed.
   The item is refused when it is not the experiment that the report tells of. */
struct hence_error *repeat_values(struct repeat_comparison *c, struct repeat_item *item,
                                  uint64_t time, enum verdict *out);
struct hence_error *repeat_branch(struct repeat_comparison *c, struct repeat_item *item,
                                  uint64_t own, uint64_t time, enum verdict *out);

/* The branch at that time at which the runs part; NULL: there is none. */
const struct align_fork *repeat_fork(const struct repeat_comparison *c, uint64_t time);

/* What a local experiment was to bring about. *out is NULL if it is not local, or the item is refused. Caller frees
   with hybrid_goal_destroy(). */
struct hence_error *repeat_goal(struct repeat_comparison *c, struct repeat_item *item,
                                struct hybrid_goal **out);

#endif
