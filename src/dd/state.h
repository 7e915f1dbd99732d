/*
 * Where a search stands: what is known, and the one set that it asks about next. An algorithm is a
 * function that takes a verdict about that set and moves on to the next question.
 *
 * A state can be copied and told a verdict that has not come yet: that is how tests are found
 * that will probably be asked for (asking.c). An algorithm therefore keeps all it knows in its
 * state.
 */
#ifndef HENCE_DD_STATE_H
#define HENCE_DD_STATE_H

#include "dd/dd.h"

/* ddmin (textbook.c). */
struct dd_textbook {
	uint32_t pieces;  /* that the failing set is cut into; 0: the empty set is tested */
	uint32_t piece;   /* the one that is tested */
	bool complements; /* about all others instead */
};

/* Sweeps over the units, then windows (fast.c). Ranges are of units. */
struct dd_fast {
	uint32_t from, to;          /* not swept yet */
	uint32_t low, high;         /* asked about: can this go? */
	uint32_t bad_low, bad_high; /* cannot go as a whole; empty: nothing is known */
	bool up;                    /* the sweep goes from the first unit to the last */
	bool again;                 /* it is not the first sweep */
	bool removed;               /* something went in this sweep, or in these windows */
	bool swept, slid;           /* nothing went since: one sweep, all windows */
	bool doubt;                 /* units seem to depend on each other */
	uint32_t window;            /* size of the windows; 0: a sweep */
	uint32_t tried;             /* windows tried in vain */
	uint32_t gap;               /* units that went since the last that was kept */
	float kept, pairs;          /* units kept, and those of them next to a kept one */
	float gone, clusters;       /* units that went, and clusters of kept ones between */
};

/* dd (isolate.c). */
struct dd_between {
	uint32_t pieces;    /* that the difference is cut into */
	uint32_t piece;     /* the one that is tested */
	uint32_t tried;     /* pieces that moved nothing */
	bool removal;       /* it is taken from the failing set; else added to the passing one */
	enum verdict added; /* what adding it to the passing set gave */
};

struct dd_state {
	/* Uses the verdict about the candidate. Then there is a new candidate, or the state is
	   done. */
	void (*tell)(struct dd_state *state, enum verdict verdict);
	bool done;
	struct dd_set candidate;
	struct dd_set failing; /* the smallest so far */
	struct dd_set passing; /* dd_isolate(): the largest so far; else of no units */
	/* What the verdict will probably be; 0 for one that need not be told apart from others. */
	float chance[3];
	union {
		struct dd_textbook textbook;
		struct dd_fast fast;
		struct dd_between between;
	};
};

/* Caller frees with dd_state_deinit(). `passing` may be NULL. There is no candidate yet. */
void dd_state_init(struct dd_state *state, const struct dd_set *passing,
                   const struct dd_set *failing);
void dd_state_copy(struct dd_state *to, const struct dd_state *from);
void dd_state_deinit(struct dd_state *state);

/* Sets the first candidate of an algorithm. */
void dd_textbook_begin(struct dd_state *state);
void dd_fast_begin(struct dd_state *state);
void dd_between_begin(struct dd_state *state);

/* Where piece `i` of `pieces` nearly equal ones of a set of `size` begins; later ones are the
   larger. */
static inline uint32_t dd_piece_start(uint32_t size, uint32_t pieces, uint32_t i)
{
	uint32_t small = pieces - size % pieces; /* pieces without one of those left over */

	return i * (size / pieces) + (i > small ? i - small : 0);
}

/* Runs an algorithm to its end (asking.c). The state has the best so far in any case. */
MUST_USE struct hence_error *dd_ask(const struct dd_search *search, struct dd_state *state,
                                    struct dd_stats *stats);

#endif
