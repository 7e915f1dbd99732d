/*
 * The fast order: a sweep over the units in which groups of them are taken out, the size of the
 * next group being what is likely to succeed every second time; then sweeps until one takes
 * nothing out.
 *
 * It is the idea of probabilistic and counter-based delta debugging (Wang and others, FSE 2021;
 * Zhang and others, 2024) seen as group testing: 'can these go?' is a pooled test for units that
 * are needed. As in Hwang's generalised binary splitting, a group that cannot go is halved until
 * one needed unit is found, and what was not asked about goes back to the others. Where the first
 * half could go, the second need not be asked about: both together could not go.
 *
 * How dense the needed units are is learned on the way, with two rates: how often the neighbour of
 * a needed unit is needed (they come in clusters), and how far it is from one cluster to the next.
 *
 * Later parts of an input depend on earlier ones more often than the other way round, so the
 * first sweep goes from the end. The next ones change direction, so that a chain of dependences
 * the other way falls in one sweep. In a sweep that took nothing out every unit was tried alone,
 * so the result is 1-minimal.
 *
 * Units that can only go together (the first and the last line of a block, now that its inside is
 * gone) survive this. They are looked for with windows that slide by half their size: large ones
 * first when there was a sign of dependences, otherwise a few of two units. What goes leads to
 * new sweeps.
 */
#include "dd/state.h"

/* The rates forget what is long ago, so that they follow inputs that change along the way. */
#define MOST_KEPT     16
#define MOST_CLUSTERS 8

#define MOST_TRIED 64 /* windows in vain, when there was no sign of dependences */

/* --- what is learned --- */

static void learn_kept(struct dd_fast *f)
{
	f->kept++;
	if (f->gap)
		f->clusters++;
	else
		f->pairs++;
	f->gap = 0;
	if (f->kept > MOST_KEPT) {
		f->kept /= 2;
		f->pairs /= 2;
	}
	if (f->clusters > MOST_CLUSTERS) {
		f->clusters /= 2;
		f->gone /= 2;
	}
}

static void learn_gone(struct dd_fast *f, uint32_t units)
{
	f->gap += units;
	f->gone += (float)units;
	f->removed = true;
	f->swept = f->slid = false;
	/* What could not go at first can now: it depended on something. */
	f->doubt |= f->again;
}

/* --- questions --- */

/* Asks about the `size` units of [low, high) that the sweep comes to first. */
static void question(struct dd_state *state, uint32_t low, uint32_t high, uint32_t size,
                     double chance)
{
	struct dd_fast *f = &state->fast;
	uint32_t before = dd_set_count(&state->failing, 0, low);
	uint32_t in = dd_set_count(&state->failing, low, high);

	f->low = low;
	f->high = high;
	if (size < in && f->up)
		f->high = dd_set_nth(&state->failing, before + size);
	else if (size < in)
		f->low = dd_set_nth(&state->failing, before + in - size);
	dd_set_assign(&state->candidate, &state->failing);
	dd_set_put_range(&state->candidate, &state->failing, f->low, f->high, false);
	state->chance[VERDICT_FAIL] = (float)chance;
	state->chance[VERDICT_PASS] = (float)(1 - chance);
}

/* Asks about a group of the units that are left in the sweep. */
static void ask_group(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;
	double next = (f->pairs + 0.5) / (f->kept + 1);
	double rate = (f->clusters + 0.5) / (f->gone + 1);

	if (!f->gap && next > 0.3)
		question(state, f->from, f->to, 1, 1 - next);
	else if (rate < 0.5)
		question(state, f->from, f->to, (uint32_t)(0.85 / rate + 0.5), 0.5);
	else
		question(state, f->from, f->to, 1, rate < 1 ? 1 - rate : 0);
}

static bool is_bad_known(const struct dd_fast *f)
{
	return f->bad_low < f->bad_high;
}

/* The next question within the sweep or the windows; false: they are at their end. */
static bool ask_next(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;
	uint32_t bad = dd_set_count(&state->failing, f->bad_low, f->bad_high);

	if (is_bad_known(f))
		question(state, f->bad_low, f->bad_high, bad / 2, 0.5);
	else if (!dd_set_count(&state->failing, f->from, f->to))
		return false;
	else if (!f->window)
		ask_group(state);
	else if (f->doubt || f->tried < MOST_TRIED)
		question(state, f->from, f->to, f->window, 0.1);
	else
		return false;
	return true;
}

/* --- sweeps and windows --- */

static void begin(struct dd_state *state, uint32_t window)
{
	const struct dd_fast before = state->fast;

	state->fast = (struct dd_fast){
		.to = state->failing.count,
		.up = !before.up,
		.again = true,
		.swept = before.swept,
		.slid = before.slid,
		.doubt = before.doubt,
		.window = window,
		.kept = 1,
		.pairs = 1,
	};
}

static void begin_windows(struct dd_state *state)
{
	uint32_t size = state->failing.size;

	begin(state, state->fast.doubt && size > 4 ? size / 2 : 2);
}

/* The sweep or the windows are at their end: what comes next; false: nothing. Both are repeated
   until they take nothing out. */
static bool begin_next(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;
	bool removed = f->removed;

	if (f->window > 2) {
		begin(state, f->window / 2);
		f->removed = removed;
		return true;
	}
	f->swept |= !f->window && !removed;
	f->slid |= state->failing.size <= 2 || (f->window && !removed);
	if (f->window && removed && !f->slid)
		begin_windows(state);
	else if (!f->swept)
		begin(state, 0);
	else if (!f->slid)
		begin_windows(state);
	else
		return false;
	return true;
}

/* [low, high) is done with: it is gone, or must stay. */
static void pass_by(struct dd_fast *f, uint32_t low, uint32_t high)
{
	if (f->up)
		f->from = high;
	else
		f->to = low;
}

/* The only unit of [low, high) must stay. */
static void keep(struct dd_fast *f, uint32_t low, uint32_t high)
{
	pass_by(f, low, high);
	f->bad_low = f->bad_high = 0;
	learn_kept(f);
}

/* The window cannot go: slides on by half of it. */
static void slide(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;
	uint32_t before = dd_set_count(&state->failing, 0, f->low);
	uint32_t in = dd_set_count(&state->failing, f->low, f->high);
	uint32_t half = dd_set_nth(&state->failing, before + (f->up ? (in + 1) / 2 : in / 2));

	f->tried++;
	if (in == f->window)
		pass_by(f, half, half);
	else /* the last one */
		pass_by(f, f->low, f->high);
}

static void tell_gone(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;

	learn_gone(f, state->failing.size - state->candidate.size);
	dd_set_assign(&state->failing, &state->candidate);
	pass_by(f, f->low, f->high);
	if (!is_bad_known(f))
		return;
	if (f->up)
		f->bad_low = f->high;
	else
		f->bad_high = f->low;
	if (dd_set_count(&state->failing, f->bad_low, f->bad_high) == 1)
		keep(f, f->bad_low, f->bad_high);
}

static void tell_stays(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;

	if (f->window) {
		slide(state);
	} else if (state->failing.size - state->candidate.size == 1) {
		keep(f, f->low, f->high);
	} else {
		f->bad_low = f->low;
		f->bad_high = f->high;
	}
}

static void tell(struct dd_state *state, enum verdict verdict)
{
	state->fast.doubt |= verdict == VERDICT_UNRESOLVED;
	if (verdict == VERDICT_FAIL)
		tell_gone(state);
	else
		tell_stays(state);
	while (!state->done && !ask_next(state))
		state->done = !begin_next(state);
}

void dd_fast_begin(struct dd_state *state)
{
	state->tell = tell;
	state->done = !state->failing.size;
	state->fast = (struct dd_fast){.to = state->failing.count};
	question(state, 0, state->failing.count, state->failing.size, 0.1);
}
