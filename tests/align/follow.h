/*
 * Goes along guard rails (align/rails.h) with the branches of a run, as a program on them does: a second
 * implementation of runtime/rails.c, for tests.
 */
#ifndef HENCE_TESTS_ALIGN_FOLLOW_H
#define HENCE_TESTS_ALIGN_FOLLOW_H

#include "align/rails.h"

static inline bool follow_same(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block;
}

/* Where the list goes on when it is at `at` and that branch goes its way; UINT32_MAX: it is not let. */
static inline uint32_t follow_branch(const struct rail *rails, uint32_t count, uint32_t at,
                                     const struct point_branch *branch)
{
	while (at < count && (rails[at].kind == RAIL_SKIP || rails[at].kind == RAIL_CHOOSE))
		if (rails[at].kind == RAIL_CHOOSE && follow_same(&rails[at + 1].site, &branch->site))
			at++;
		else
			at += 1 + rails[at].skip;
	if (at >= count || !follow_same(&rails[at].site, &branch->site))
		return UINT32_MAX;
	if (rails[at].kind == RAIL_EVALUATE && branch->way == rails[at].other)
		return at + 1 + rails[at].skip;
	return branch->way == rails[at].way ? at + 1 : UINT32_MAX;
}

/* Is nothing left of the list? */
static inline bool follow_ended(const struct rail *rails, uint32_t count, uint32_t at)
{
	while (at < count && rails[at].kind != RAIL_FORCE && rails[at].kind != RAIL_EVALUATE)
		at += 1 + rails[at].skip;
	return at >= count;
}

#endif
