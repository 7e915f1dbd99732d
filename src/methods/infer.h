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
#ifndef HENCE_METHODS_INFER_H
#define HENCE_METHODS_INFER_H

#include "methods/exact.h"
#include "slice/dual.h"

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
struct hence_error *infer_causes(struct hybrids *h, struct hybrid_point *point,
                                 struct hybrid_goal *goal, const struct infer_options *options,
                                 struct inferred *out);
void inferred_deinit(struct inferred *inferred);

/* --- with the exact model --- */

/* A smallest set of the cut that the model calls sufficient in both directions; *found: there is
   one. Caller frees it with dd_set_deinit() then. */
struct hence_error *infer_exactly(struct exact *exact, const struct dual *dual,
                                  const struct hybrid_point *point, const struct hybrid_goal *goal,
                                  struct dd_set *set, bool *found);

/* The model's answer beside that of experiments, which is in `inferred`. */
struct hence_error *infer_compare(const struct infer_options *options,
                                  const struct hybrid_point *point, const struct hybrid_goal *goal,
                                  struct inferred *inferred);

/* The differences that are in the cut of a dual slice at that point, which is compared. Caller
   frees with dd_set_deinit(). */
void infer_cut(const struct hybrid_point *point, const struct dual *dual, struct dd_set *out);

#endif
