/*
 * The clock of a run: walks its tape and counts statements as the decoder does (execution.h), without
 * values. Only point*.c include this.
 */
#ifndef HENCE_EXPERIMENT_POINT_CLOCK_H
#define HENCE_EXPERIMENT_POINT_CLOCK_H

#include "experiment/point.h"

/* A function under way. */
struct clock_frame {
	struct program_place place;
	const struct plan_function *function;
	uint32_t depth; /* of the walk's stack */
	uint32_t block;
	uint32_t done;         /* statements of the block that have ended */
	const uint32_t *marks; /* see struct clock */
	uint32_t branch; /* 1 + number of the branch that it has executed, until the next block is
	                    known; 0: none */
};

struct clock {
	struct walk *walk;
	struct walk_follower follower;
	VEC(struct clock_frame) stack;
	uint64_t time; /* statements that have ended; a call ends its statement when it begins */
	/* Of the function on top, statements `from` up to, but not with, `to` of its block end now;
	   the time is that before them. */
	void (*passed)(void *context, const struct clock_frame *frame, uint32_t from, uint32_t to);
	/* What `marks` of a function that is entered is to be; may be NULL. */
	const uint32_t *(*mark)(void *context, struct program_place place);
	/* The function on top has executed the branch or switch at the end of its block, the first
	   being number 0; and later, when it is known: to which block that led. May be NULL. */
	void (*branched)(void *context, const struct clock_frame *frame);
	void (*went)(void *context, const struct clock_frame *frame, uint32_t branch,
	             uint32_t block);
	uint32_t branches;
	void *context;
};

/* Begins; `passed`, `mark` and `context` are set by the caller afterwards. Caller frees with
   clock_deinit(). */
struct hence_error *clock_init(struct clock *clock, const struct recording *run);
void clock_deinit(struct clock *clock);

/* Goes on until walk_halt(), or to where the program ended or died. */
struct hence_error *clock_run(struct clock *clock, const struct recording *run, bool *ended);

/* The function that the program was in when it ended, before statement `done` of its block; NULL: it
   was in outside code. */
const struct clock_frame *clock_standing(struct clock *clock);

#endif
