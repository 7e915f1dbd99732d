/*
 * What to test ahead: the sets that a search will most probably ask about, found by telling
 * copies of its state the verdicts that have not come yet.
 */
#ifndef HENCE_DD_AHEAD_H
#define HENCE_DD_AHEAD_H

#include "base/vec.h"
#include "dd/state.h"

struct dd_wanted {
	struct dd_set set;
	uint64_t hash;
};

struct dd_ahead {
	VEC(struct dd_wanted) sets; /* likely ones first; the first is the state's candidate */
};

/* Finds up to `room` sets without a known verdict. `known` says whether there is one.
   `state` is not done and its candidate has none. Caller frees with dd_ahead_deinit(). */
void dd_ahead_find(const struct dd_state *state, uint32_t room,
                   bool (*known)(void *context, const struct dd_set *set, uint64_t hash,
                                 enum verdict *out),
                   void *context, struct dd_ahead *out);
void dd_ahead_deinit(struct dd_ahead *ahead);

#endif
