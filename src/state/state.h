/*
 * The state of a run at a point, as a memory graph: variables, and what they lead to. Nodes are objects
 * with C types from debug information, edges are pointers as (object, offset).
 *
 *	roots     locals and parameters of every function under way, globals and static locals that
 *	          the program can change, argv
 *	heap      what can be reached from them
 *
 * Objects of two states correspond when they are the same global, the same local of aligned frames, or
 * blocks that were allocated at aligned points; else when corresponding pointers lead to them. A union or
 * what a void pointer leads to has the type by which it was last stored.
 *
 * The names of differences are C expressions that are right at that point in the first run: a[2],
 * p->next->val, and main.argc for a local of a caller.
 */
#ifndef HENCE_STATE_STATE_H
#define HENCE_STATE_STATE_H

#include "align/align.h"
#include "experiment/experiment.h"
#include "words/names.h"

struct state;

struct state_options {
	uint64_t
		memory; /* bytes that one state may take; 0: 256 MB. The rest is left out: state_partial() */
	bool (*stop)(void *context); /* ends the decoding, between two states too; NULL: never */
	void *context;               /* its */
};

/* Decodes the run once and takes its state at these times (points, as in experiment/point.h), which are
   in order. `take` gets each and must free it with state_destroy(); false ends the decoding. */
MUST_USE struct hence_error *
states_take(const struct recording *run, const uint64_t *times, uint32_t count,
            const struct state_options *options,
            bool (*take)(void *context, uint32_t index, struct state *state), void *context);
void state_destroy(struct state *state);

/* Was something left out, and what? NULL: no. */
const char *state_partial(const struct state *state);

/* Memory of the first run (of the second when `second`) that the decoder has not seen written, though
   the other state has something in its place: an array that is shorter here, a variable that was not
   initialised. What is there really must be read in an experiment at this point. NULL: nothing. Valid
   until the next call for this state; state_know() is told the bytes of all of them, one after the
   other. Without it such differences have the value '?', and cannot be transplanted from there. */
const struct reading *states_unknown(struct state *a, struct state *b,
                                     const struct alignment *alignment, bool second,
                                     uint32_t *count);
void state_know(struct state *state, const uint8_t *bytes);

enum difference_kind {
	DIFFERENCE_VALUE,   /* a scalar, an enumerator, a bit-field */
	DIFFERENCE_POINTER, /* to other objects, or NULL on one side */
	DIFFERENCE_TEXT,    /* a string as a whole */
	DIFFERENCE_EXTRA,   /* exists in the first run only (a node of a longer list) */
	DIFFERENCE_MISSING, /* exists in the second run only */
};

/* `a` is of the first run, `b` of the second. */
struct difference {
	enum difference_kind kind;
	char *name;
	char *a, *b;    /* values, as they are to be printed */
	char *function; /* that the variable is local to; NULL: a global or the heap */
	uint32_t depth; /* of that function: 0 is on top */
	uint64_t a_address, b_address, size;
	uint64_t b_size;               /* another one for texts */
	uint64_t a_written, b_written; /* the statement that wrote it; 0: none, or before main */
	const char *file;              /* where the variable is declared, or NULL */
	/* Where the text begins in the first run that it is, or lies behind in the same array; 0: it is
	   none. */
	uint64_t a_text;
};

struct state_diff;

/* Caller frees with state_diff_destroy(). The states must outlive it. */
struct state_diff *states_compare(const struct state *a, const struct state *b,
                                  const struct alignment *alignment);
void state_diff_destroy(struct state_diff *diff);

/* Those that can be transplanted, in an order in which neighbours belong together. */
const struct difference *state_diff_all(const struct state_diff *diff, uint32_t *count);

/* The changes that give these differences (indices, in order) of the first run to the second at that
   point, or of the second to the first when `back`. Blocks that exist on one side only are created on
   the other and linked in. Valid until the next call. */
const struct change *state_diff_changes(struct state_diff *diff, const uint32_t *chosen,
                                        uint32_t chosen_count, bool back, uint32_t *count);

/* Why the runs may go on differently even when all differences are transplanted: a value that differs
   lies in no variable, since the point is in the middle of an expression. NULL: that is not so. Valid
   as long as the diff. */
const char *state_diff_hidden(struct state_diff *diff);

#endif
