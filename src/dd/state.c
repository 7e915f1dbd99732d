/* States of a search, and the two ways to begin one. */
#include <assert.h>
#include <string.h>

#include "dd/state.h"

void dd_state_init(struct dd_state *state, const struct dd_set *passing,
                   const struct dd_set *failing)
{
	*state = (struct dd_state){0};
	dd_set_copy(&state->failing, failing);
	dd_set_init(&state->candidate, failing->count, false);
	if (passing)
		dd_set_copy(&state->passing, passing);
	else
		dd_set_init(&state->passing, 0, false);
}

void dd_state_copy(struct dd_state *to, const struct dd_state *from)
{
	*to = *from;
	dd_set_copy(&to->candidate, &from->candidate);
	dd_set_copy(&to->failing, &from->failing);
	dd_set_copy(&to->passing, &from->passing);
}

void dd_state_deinit(struct dd_state *state)
{
	dd_set_deinit(&state->candidate);
	dd_set_deinit(&state->failing);
	dd_set_deinit(&state->passing);
}

struct hence_error *dd_minimise(const struct dd_search *search, struct dd_set *failing,
                                struct dd_stats *stats)
{
	struct dd_state state;
	struct hence_error *error;

	assert(failing->count == search->count);
	dd_state_init(&state, NULL, failing);
	if (search->order == DD_TEXTBOOK)
		dd_textbook_begin(&state);
	else
		dd_fast_begin(&state);
	error = dd_ask(search, &state, stats);
	dd_set_assign(failing, &state.failing);
	dd_state_deinit(&state);
	return error;
}

struct hence_error *dd_isolate(const struct dd_search *search, struct dd_set *passing,
                               struct dd_set *failing, struct dd_stats *stats)
{
	struct dd_state state;
	struct hence_error *error;

	assert(failing->count == search->count);
	assert(dd_set_within(passing, failing));
	dd_state_init(&state, passing, failing);
	dd_between_begin(&state);
	error = dd_ask(search, &state, stats);
	dd_set_assign(failing, &state.failing);
	dd_set_assign(passing, &state.passing);
	dd_state_deinit(&state);
	return error;
}
