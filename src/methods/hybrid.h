/*
 * Hybrid runs: one run that gets values of the other at a point which both have, judged at the
 * symptom, or by what it shows at a later point. A point has the differences of the two states
 * there; a question is about a set of them. All sets of one point and the verdicts on them are kept
 * as long as the point.
 */
#ifndef HENCE_METHODS_HYBRID_H
#define HENCE_METHODS_HYBRID_H

#include "align/rails.h"
#include "base/map.h"
#include "dd/dd.h"
#include "methods/comparison.h"
#include "slice/dual.h"
#include "state/state.h"

MAP_DEFINE_U64(hybrid_verdicts, uint8_t);

/* Which of the runs gets values of the other. */
enum hybrid_way {
	HYBRID_REFERENCE, /* the reference, those of the failing run */
	HYBRID_FAILING,   /* the failing run, those of the reference */
	HYBRID_BOTH,      /* both are asked: VERDICT_FAIL when each shows what the other did,
	                     VERDICT_PASS when each shows what it did itself */
};

/* Experiments on two runs. In arrays the failing run is 1 (in_failing), the reference 0. */
struct hybrids {
	struct comparison pair;
	/* On which hybrids run, each the list of its own run; NULL: they are free to take any path.
	   Given to the pools as well (experiments_set_rails()). */
	const struct rails *rails[2];
	const char *phase;
	uint64_t asked;      /* experiments whose verdicts were used */
	uint64_t confounded; /* that left the rails: unresolved */
	uint64_t serial;     /* of the last that was started */
	uint64_t goals;      /* that were made */
};

struct hybrid_point {
	uint64_t times[2];
	struct point points[2];
	struct state *states[2];
	struct state_diff *diff; /* NULL: not compared yet */
	const struct difference *differences;
	uint32_t count;
	struct hybrid_verdicts verdicts[2]; /* by hash of the set, and goal */
};

/* The points at these times of the failing run, which are in order and aligned: decodes both runs
   once. Caller frees each with hybrid_point_deinit(). */
MUST_USE struct hence_error *hybrids_prepare(struct hybrids *h, const uint64_t *times,
                                             uint32_t count, struct hybrid_point *out);
void hybrid_point_deinit(struct hybrid_point *point);

/* Finds the differences, if that has not been done. */
MUST_USE struct hence_error *hybrid_compare(struct hybrids *h, struct hybrid_point *point);

/* What a hybrid must show instead of the symptom. */
struct hybrid_goal;

/* Asks what the run shows that gets these values of the other: VERDICT_FAIL is what the failing run
   shows, VERDICT_PASS what the reference does, whichever of the two is changed. Unresolved if
   nobody wants to know any more. `goal` NULL: judged by the symptom. */
MUST_USE struct hence_error *hybrid_ask(struct hybrids *h, struct hybrid_point *point,
                                        enum hybrid_way way, const struct dd_set *set,
                                        struct hybrid_goal *goal, enum verdict *out);

/* The same for delta debugging. As dd_isolate() (in the reference) and dd_minimise(); they begin
   with sets that the caller has asked about. The smaller set still makes the run that gets it show
   what the other did: of HYBRID_FAILING that is VERDICT_PASS. */
MUST_USE struct hence_error *hybrid_isolate(struct hybrids *h, struct hybrid_point *point,
                                            struct hybrid_goal *goal, struct dd_set *passing,
                                            struct dd_set *failing);
MUST_USE struct hence_error *hybrid_minimise(struct hybrids *h, struct hybrid_point *point,
                                             enum hybrid_way way, struct hybrid_goal *goal,
                                             struct dd_set *failing);

/* --- goals --- */

/* The values of these differences at a later point, and the ways of these branches of the alignment
   (FORK_BRANCH), in order. `later` NULL: only branches. What it is made of must outlive it. Caller
   frees with hybrid_goal_destroy(). *out is NULL when nothing of it can be read back: structures
   that exist in one run only, a computed goto. */
MUST_USE struct hence_error *hybrid_goal_create(struct hybrids *h, struct hybrid_point *later,
                                                const struct dd_set *set,
                                                const struct align_fork *const *forks,
                                                uint32_t fork_count, struct hybrid_goal **out);
void hybrid_goal_destroy(struct hybrid_goal *goal);

/* What a goal was made of. Valid as long as it. */
struct hybrid_wanted {
	const struct hybrid_point *later; /* NULL: no values */
	const struct dd_set *set;
	const struct align_fork *const *forks;
	uint32_t fork_count;
};
struct hybrid_wanted hybrid_goal_wanted(const struct hybrid_goal *goal);

/* The branch at that time of the failing run at which the runs part; NULL: there is none. */
const struct align_fork *hybrid_fork(const struct hybrids *h, uint64_t time);

/* Makes rails for both runs and gives them to the pools. After an error there are none. Caller frees with
   hybrid_drop_rails(). */
MUST_USE struct hence_error *hybrid_make_rails(const struct comparison *pair, struct rails *out[2]);
void hybrid_drop_rails(struct rails *rails[2]);

/* --- runs in which no value is changed --- */

/* Asks what happens when the conditional branch at that point goes the other way. */
MUST_USE struct hence_error *hybrid_switch(struct hybrids *h, const struct point *at,
                                           bool in_failing, enum verdict *out);

/* Asks what happens when a branch or switch (FORK_BRANCH) goes as it does in the other run. `goal`
   as for hybrid_ask(). Unresolved for a computed goto. */
MUST_USE struct hence_error *hybrid_force(struct hybrids *h, const struct align_fork *fork,
                                          bool in_failing, struct hybrid_goal *goal,
                                          enum verdict *out);

/* Changes nothing: is each run what it was recorded as? Learns where the symptom is. The error says
   which one is not. */
MUST_USE struct hence_error *hybrids_check(struct hybrids *h, const struct hybrid_point *point);

/*
 * Which differences at a point bring about a goal: values at a later point, the way of a branch, or
 * the symptom. Smallest sets, found by delta debugging with hybrids.
 *
 *	M3    the reference gets values of the failing run, and must show the goal as the failing run does;
 *	      all differences are candidates; runs are free to take any path
 *	M4    the same, and also the failing run gets values of the reference, and must show the goal as
 *	      the reference does; candidates are the cut of the dual slice; runs are on rails
 *
 * If the cut is not sufficient all differences are candidates; if these are not in both directions,
 * a set that is in one is looked for: it is a cause as well, and the result says so.
 */

struct exact;

struct infer_options {
	enum hybrid_way way;
	const struct dual *dual; /* candidates are its cut; NULL: all differences */
	struct infer_model
		*model; /* the exact model judges sets as well; NULL: only experiments do */
};

/*
 * The exact model (exact.h) beside experiments: the set is the smallest that the model finds in the
 * cut; if it finds none, that of the experiments. A note says where the two find different ones.
 */
struct infer_model {
	struct exact *exact;
	uint64_t same, other; /* points at which both found a set: the same, another one */
	uint64_t silent;      /* only experiments found one, or the model does not know of it */
	VEC(char *) notes;
};

struct inferred {
	struct dd_set set;   /* of differences of the point; empty: none is sufficient */
	bool sufficient;     /* it brings about the goal */
	enum hybrid_way way; /* in which it is sufficient */
	uint32_t candidates; /* how many there were */
	bool beyond_cut;     /* the cut was not sufficient, so all differences were candidates */
	uint64_t confounded; /* experiments that went ways of neither run */
	const char *why;     /* it is not sufficient; NULL: it is. Valid as long as the point */
};

/* The point is compared (hybrid_compare()) by this. No single difference can be left out of the
   set. Caller frees with inferred_deinit(). */
MUST_USE struct hence_error *infer_causes(struct hybrids *h, struct hybrid_point *point,
                                          struct hybrid_goal *goal,
                                          const struct infer_options *options,
                                          struct inferred *out);
void inferred_deinit(struct inferred *inferred);

/* --- with the exact model --- */

/* A smallest set of the cut that the model calls sufficient in both directions; *found: there is
   one. Caller frees it with dd_set_deinit() then. */
MUST_USE struct hence_error *infer_exactly(struct exact *exact, const struct dual *dual,
                                           const struct hybrid_point *point,
                                           const struct hybrid_goal *goal, struct dd_set *set,
                                           bool *found);

/* The model's answer beside that of experiments, which is in `inferred`. */
MUST_USE struct hence_error *infer_compare(const struct infer_options *options,
                                           const struct hybrid_point *point,
                                           const struct hybrid_goal *goal,
                                           struct inferred *inferred);

/* The differences that are in the cut of a dual slice at that point, which is compared. Caller
   frees with dd_set_deinit(). */
void infer_cut(const struct hybrid_point *point, const struct dual *dual, struct dd_set *out);

#endif
