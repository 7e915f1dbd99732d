/*
 * dd as Zeller and Hildebrandt published it ('Simplifying and isolating failure-inducing input',
 * IEEE TSE 28(2), 2002): each piece of the difference is added to the passing set and taken from
 * the failing one; any verdict but unresolved moves one of the ends. When all are unresolved the
 * pieces get smaller.
 *
 * With two pieces every resolved verdict halves the difference and is used at once; with more, a
 * move that leaves only the piece is better than one that only drops it, so both are asked first.
 */
#include <assert.h>

#include "dd/state.h"

static uint32_t difference_size(const struct dd_state *state)
{
	return state->failing.size - state->passing.size;
}

static void question(struct dd_state *state)
{
	const struct dd_between *b = &state->between;
	struct dd_set difference;
	uint32_t low, high;

	dd_set_init(&difference, state->failing.count, false);
	dd_set_subtract(&difference, &state->failing, &state->passing);
	low = dd_set_nth(&difference, dd_piece_start(difference.size, b->pieces, b->piece));
	high = dd_set_nth(&difference, dd_piece_start(difference.size, b->pieces, b->piece + 1));
	dd_set_assign(&state->candidate, b->removal ? &state->failing : &state->passing);
	dd_set_put_range(&state->candidate, &difference, low, high, !b->removal);
	dd_set_deinit(&difference);
}

/* Begins a round with `pieces` pieces of the difference, at piece `first`. */
static void cut(struct dd_state *state, uint32_t pieces, uint32_t first)
{
	uint32_t size = difference_size(state);

	if (size < 2) {
		state->done = true;
		return;
	}
	pieces = pieces < 2 ? 2 : pieces < size ? pieces : size;
	state->between = (struct dd_between){.pieces = pieces, .piece = first < pieces ? first : 0};
	question(state);
}

/* The piece moved no end: the next one, until all were tried; then smaller ones. */
static void go_on(struct dd_state *state)
{
	struct dd_between *b = &state->between;

	b->removal = false;
	b->piece = (b->piece + 1) % b->pieces;
	if (++b->tried < b->pieces)
		question(state);
	else if (b->pieces < difference_size(state))
		cut(state, 2 * b->pieces, 0);
	else
		state->done = true;
}

static void tell_added(struct dd_state *state, enum verdict verdict)
{
	struct dd_between *b = &state->between;

	if (verdict == VERDICT_FAIL) {
		dd_set_assign(&state->failing, &state->candidate);
		cut(state, 2, 0);
	} else if (verdict == VERDICT_PASS && b->pieces == 2) {
		dd_set_assign(&state->passing, &state->candidate);
		cut(state, 2, 0);
	} else {
		b->added = verdict;
		b->removal = true;
		question(state);
	}
}

/* Adding the piece to the passing set passed, but the question now was another: adds it anew. */
static void take_added(struct dd_state *state)
{
	state->between.removal = false;
	question(state);
	dd_set_assign(&state->passing, &state->candidate);
}

static void tell_removed(struct dd_state *state, enum verdict verdict)
{
	struct dd_between *b = &state->between;

	if (verdict == VERDICT_PASS) {
		dd_set_assign(&state->passing, &state->candidate);
		cut(state, 2, 0);
	} else if (b->added == VERDICT_PASS) {
		take_added(state);
		cut(state, b->pieces - 1, b->piece);
	} else if (verdict == VERDICT_FAIL) {
		dd_set_assign(&state->failing, &state->candidate);
		cut(state, b->pieces - 1, b->piece);
	} else {
		go_on(state);
	}
}

static void tell(struct dd_state *state, enum verdict verdict)
{
	if (state->between.removal)
		tell_removed(state, verdict);
	else
		tell_added(state, verdict);
	assert(dd_set_within(&state->passing, &state->failing));
}

void dd_between_begin(struct dd_state *state)
{
	state->tell = tell;
	for (int v = 0; v < 3; v++)
		state->chance[v] = 1.0f / 3;
	cut(state, 2, 0);
}
