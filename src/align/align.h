/*
 * Which points of two runs correspond: structural execution indices (SEI).
 *
 * The execution of a program is a tree: a node opens at a call and at each branch, and closes when the
 * callee returns or at the branch's immediate post-dominator (an early return does not count: control.h). Points of two runs are aligned when
 * they are the same statement under the same path. A loop's iterations are counted, not nested.
 *
 * One merge walk finds them: both runs are walked together; where a branch goes different ways, each is
 * walked alone to the end of that region, and they go on together. Early returns, exit(), longjmp(),
 * callbacks and signal handlers close regions. Time is counted in statements (execution.h); memory is
 * linear in the number of divergences, not in the length of the runs.
 */
#ifndef HENCE_ALIGN_ALIGN_H
#define HENCE_ALIGN_ALIGN_H

#include "base/vec.h"
#include "trace/recording.h"

struct versions;

/* Statements a, a+1, ... of the first run are aligned with b, b+1, ... of the second. */
struct align_span {
	uint64_t a, b, count;
};

enum align_fork_kind {
	FORK_BRANCH, /* a branch, a switch or a computed goto */
	FORK_CALL,   /* a call of different functions through a pointer */
};

/* The aligned branch or call at statements a and b went different ways; up to, but not with, a_end
   and b_end each run is alone: to where the ways meet again, or if one of the runs left by a return,
   longjmp(), exit() or crash, to where both are out of what it left. Those within it are not
   listed. */
struct align_fork {
	enum align_fork_kind kind;
	uint64_t a, b;
	uint64_t a_end, b_end;
	uint32_t depth; /* of calls */
};

struct alignment {
	/* In order in both runs. The statement that a run died of counts, though it did not end: its
	   number is one more than a_statements. */
	VEC(struct align_span) spans;
	VEC(struct align_fork) forks;        /* in order; one never lies within another */
	uint64_t a_statements, b_statements; /* of the whole runs, as execution.h counts them */
	bool stopped;                        /* see align_options: what was found so far */
	const struct versions *versions;     /* as in align_options, which must outlive it */
};

struct align_options {
	const struct versions
		*versions;           /* the runs are of two versions of the program; NULL: of one */
	bool (*stop)(void *context); /* asked now and then; may be NULL */
	void *context;
};

/* Caller frees with alignment_deinit(). */
MUST_USE struct hence_error *align_runs(const struct recording *a, const struct recording *b,
                                        const struct align_options *options, struct alignment *out);
void alignment_deinit(struct alignment *alignment);

/* The statement of the other run that is aligned with this one; 0: none. */
uint64_t alignment_of_a(const struct alignment *alignment, uint64_t a);
uint64_t alignment_of_b(const struct alignment *alignment, uint64_t b);

/* The nearest statements of the first run that are aligned, not before and not behind `a`, which is one
   itself if it is aligned; and the last one whose counterpart is not behind `b`. 0: there is none. */
uint64_t alignment_from_a(const struct alignment *alignment, uint64_t a);
uint64_t alignment_until_a(const struct alignment *alignment, uint64_t a);
uint64_t alignment_until_b(const struct alignment *alignment, uint64_t b);

/* The innermost aligned branch whose different outcomes decided that statement `time` (of the first
   run when `first`) was executed; NULL: it is aligned, or no branch decided. */
const struct align_fork *alignment_decided(const struct alignment *alignment, bool first,
                                           uint64_t time);

#endif
