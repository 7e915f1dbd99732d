/* Inside the alignment of two runs: what its files share. Only align*.c include this. */
#ifndef HENCE_ALIGN_MERGE_H
#define HENCE_ALIGN_MERGE_H

#include "align/align.h"
#include "align/side.h"

struct merge {
	const struct align_options *options;
	struct alignment *out;
	struct align_functions functions;
	struct side sides[2];
	uint32_t matched; /* nodes that are the same on both sides */
	bool apart;       /* at least one was alone since both took an event together */
	bool forked;      /* because of the last fork */
};

/* The next statements of both sides are aligned. */
void merge_add_span(struct merge *m, uint64_t count);

/* One takes its event alone. */
struct hence_error *merge_step(struct merge *m, struct side *side);

/* Both take theirs: the same one; or a branch or call that went different ways. */
struct hence_error *merge_take_same(struct merge *m);
struct hence_error *merge_take_different(struct merge *m, enum align_fork_kind kind);

/* Both make the same call, or are called back. */
struct hence_error *merge_take_calls(struct merge *m);

/* The call that both are in cannot be followed together any more. */
void merge_give_up_call(struct merge *m);

/* Is `to` on every way from the block to the end of the function? */
bool merge_leads_to(const struct align_function *function, uint32_t block, uint32_t to);

/* --- align_changed.c --- */

/* Both are in a function that was changed between the versions: takes the next event of one or both. */
struct hence_error *merge_step_changed(struct merge *m);

#endif
