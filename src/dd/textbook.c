/*
 * ddmin as Zeller and Hildebrandt published it ('Simplifying and isolating failure-inducing
 * input', IEEE TSE 28(2), 2002): pieces of the failing set alone, then the set without each
 * piece, then smaller pieces. A verdict that is unresolved counts as not failing.
 *
 * The paper takes for granted that the empty set passes; here it is tested first.
 */
#include "dd/state.h"

static void question(struct dd_state *state)
{
	const struct dd_textbook *t = &state->textbook;
	uint32_t size = state->failing.size;
	uint32_t low = dd_set_nth(&state->failing, dd_piece_start(size, t->pieces, t->piece));
	uint32_t high = dd_set_nth(&state->failing, dd_piece_start(size, t->pieces, t->piece + 1));

	if (t->complements)
		dd_set_assign(&state->candidate, &state->failing);
	else
		dd_set_clear(&state->candidate);
	dd_set_put_range(&state->candidate, &state->failing, low, high, !t->complements);
	state->chance[VERDICT_FAIL] = 1.0f / (float)(t->pieces + 1);
	state->chance[VERDICT_PASS] = 1 - state->chance[VERDICT_FAIL];
}

/* Begins anew with `pieces` pieces of the failing set. */
static void cut(struct dd_state *state, uint32_t pieces)
{
	uint32_t size = state->failing.size;

	if (size < 2) {
		state->done = true;
		return;
	}
	state->textbook.pieces = pieces < 2 ? 2 : pieces < size ? pieces : size;
	state->textbook.piece = 0;
	state->textbook.complements = false;
	question(state);
}

/* Nothing failed: the next piece, then complements, then smaller pieces. */
static void go_on(struct dd_state *state)
{
	struct dd_textbook *t = &state->textbook;

	if (++t->piece < t->pieces) {
		question(state);
	} else if (!t->complements) {
		t->piece = 0;
		t->complements = true;
		question(state);
	} else if (t->pieces < state->failing.size) {
		cut(state, 2 * t->pieces);
	} else {
		state->done = true;
	}
}

static void tell(struct dd_state *state, enum verdict verdict)
{
	struct dd_textbook *t = &state->textbook;

	if (verdict == VERDICT_FAIL) {
		dd_set_assign(&state->failing, &state->candidate);
		cut(state, t->complements ? t->pieces - 1 : 2);
	} else if (!t->pieces) {
		cut(state, 2);
	} else {
		go_on(state);
	}
}

void dd_textbook_begin(struct dd_state *state)
{
	state->tell = tell;
	state->done = !state->failing.size;
	state->chance[VERDICT_PASS] = 1;
	dd_set_clear(&state->candidate);
}
