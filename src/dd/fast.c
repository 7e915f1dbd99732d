/*
 * The fast order: a sweep over the units in which groups of them are taken out, the size of the next
 * group being what is likely to succeed every second time; then sweeps until one takes nothing out.
 *
 * It is the idea of probabilistic and counter-based delta debugging (Wang and others, FSE 2021; Zhang and
 * others, 2024) seen as group testing: 'can these go?' is a pooled test for units that are needed. As
 * in Hwang's generalised binary splitting, a group that cannot go is halved until one needed unit is
 * found, and what was not asked about goes back to the others. Where the first half could go, the
 * second need not be asked about: both together could not go.
 *
 * How dense the needed units are is learned on the way, with two rates: how often the neighbour of
 * a needed unit is needed (they come in clusters), and how far it is from one cluster to the next.
 *
 * Later parts of an input depend on earlier ones more often than the other way round, so the first sweep
 * goes from the end. The next ones change direction, so that a chain of dependences the other way
 * falls in one sweep. In a sweep that took nothing out every unit was tried alone, so the
 * result is 1-minimal.
 */
#include "dd/state.h"

/* The rates forget what is long ago, so that they follow inputs that change along the way. */
#define MOST_KEPT     16
#define MOST_CLUSTERS 8

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
}

/* [low, high) is done with: it is gone, or must stay. */
static void pass_by(struct dd_fast *f, uint32_t low, uint32_t high)
{
	if (f->up)
		f->from = high;
	else
		f->to = low;
}

static bool is_bad_known(const struct dd_fast *f)
{
	return f->bad_low < f->bad_high;
}

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
	else
		question(state, f->from, f->to, rate < 0.6 ? (uint32_t)(0.69 / rate + 0.5) : 1,
		         rate < 0.5 ? 0.5 : 1 - rate);
}

static void begin_sweep(struct dd_state *state, bool up)
{
	state->fast = (struct dd_fast){
		.to = state->failing.count,
		.up = up,
		.kept = 1,
		.pairs = 1,
	};
}

/* The next question, or the next sweep, or the end. */
static void go_on(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;
	uint32_t bad = dd_set_count(&state->failing, f->bad_low, f->bad_high);

	if (is_bad_known(f)) {
		question(state, f->bad_low, f->bad_high, bad / 2, 0.5);
		return;
	}
	if (!dd_set_count(&state->failing, f->from, f->to)) {
		if (!f->removed || !state->failing.size) {
			state->done = true;
			return;
		}
		begin_sweep(state, !f->up);
	}
	ask_group(state);
}

/* The only unit of [low, high) must stay. */
static void keep(struct dd_fast *f, uint32_t low, uint32_t high)
{
	pass_by(f, low, high);
	f->bad_low = f->bad_high = 0;
	learn_kept(f);
}

static void tell_gone(struct dd_state *state)
{
	struct dd_fast *f = &state->fast;

	learn_gone(f, state->failing.size - state->candidate.size);
	dd_set_assign(&state->failing, &state->candidate);
	f->removed = true;
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

static void tell(struct dd_state *state, enum verdict verdict)
{
	struct dd_fast *f = &state->fast;

	if (verdict == VERDICT_FAIL) {
		tell_gone(state);
	} else if (state->failing.size - state->candidate.size == 1) {
		keep(f, f->low, f->high);
	} else {
		f->bad_low = f->low;
		f->bad_high = f->high;
	}
	go_on(state);
}

void dd_fast_begin(struct dd_state *state)
{
	state->tell = tell;
	state->done = !state->failing.size;
	begin_sweep(state, false);
	state->fast.kept = state->fast.pairs = 0;
	question(state, 0, state->failing.count, state->failing.size, 0.1);
}
