/* A question to the exact model: what is replaced, what is executed, what the goal shows. See exact.h. */
#include "causes/exact_work.h"

/* --- what is replaced --- */

/* Gives the changed run what the other has, just the bits that an experiment would change. */
static void replace(struct exact_run *r, const struct hybrid_point *point, uint32_t index)
{
	const struct difference *d = &point->differences[index];
	const uint8_t *mask = exact_mask(point, index, r->base == 0);
	uint64_t size = r->base == 0 ? d->b_size : d->size;

	for (uint64_t k = 0; k < size; k++) {
		uint64_t place = exact_place_of(r->x, r->moment, d, k);
		struct exact_byte byte = exact_get(&r->moment->memory[!r->base], place);
		struct exact_byte old = exact_get(&r->memory, place);

		if (!old.writer)
			old = exact_get(&r->moment->memory[r->base], place);
		if (!byte.writer)
			continue;
		if (mask)
			byte.byte = (uint8_t)((byte.byte & mask[k]) | (old.byte & ~mask[k]));
		exact_put(&r->memory, place, byte);
	}
}

/* --- what is executed --- */

static bool is_executed(const struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	if (exact_is_before(r->x, side, event->instances[side], r->times[side]))
		return false;
	if (event->instances[!side])
		return true;
	if (event->region && r->ways[event->region - 1] >= 0)
		return side == (unsigned)r->ways[event->region - 1];
	return side == r->base;
}

/* Is it at or behind these times? */
static bool is_behind(const struct exact *x, const struct exact_event *event,
                      const uint64_t times[2])
{
	unsigned side = event->instances[0] ? 0 : 1;

	return !exact_is_before(x, side, event->instances[side], times[side]);
}

/* Do callbacks belong to it? */
static bool calls_back(const struct exact *x, const struct exact_event *event)
{
	for (unsigned side = 0; side < 2; side++)
		if (event->instances[side] &&
		    exact_until(x->sides[side].execution, event->instances[side]) >
		            event->instances[side] + 1)
			return true;
	return false;
}

/* Does the call return before the event, which NULL is behind all? */
static bool is_over(const struct exact *x, const struct exact_event *call,
                    const struct exact_event *event)
{
	for (unsigned side = 0; event && side < 2; side++)
		if (call->instances[side] && event->instances[side])
			return event->instances[side] >=
			       exact_until(x->sides[side].execution, call->instances[side]);
	return !event;
}

static void close_calls(struct exact_run *r, const struct exact_event *event)
{
	while (r->open.size && !r->lost) {
		uint32_t last = r->open.at[r->open.size - 1];

		if (!is_over(r->x, &r->x->events.at[last], event))
			return;
		exact_execute(r, last);
		r->open.size--;
	}
}

/* Executes what comes next, up to that point; NULL: all. */
static void run(struct exact_run *r, const uint64_t until[2])
{
	for (; r->next < r->x->events.size && !r->lost; r->next++) {
		const struct exact_event *event = &r->x->events.at[r->next];

		close_calls(r, event);
		if (until && is_behind(r->x, event, until))
			return;
		if (!is_executed(r, event))
			continue;
		if (calls_back(r->x, event))
			*vec_push(&r->open) = r->next;
		else
			exact_execute(r, r->next);
	}
	close_calls(r, NULL);
}

/* --- what is shown --- */

/* Which of the runs it is like so far, and what that is worth. */
struct likeness {
	bool like[2];
	uint8_t taint;
};

static void note(struct likeness *l, bool like_failing, bool like_reference, uint8_t taint)
{
	l->like[0] &= like_failing;
	l->like[1] &= like_reference;
	l->taint = taint > l->taint ? taint : l->taint;
}

static struct exact_judgement judgement(const struct likeness *l)
{
	struct exact_judgement j = {VERDICT_UNRESOLVED, l->taint == EXACT_CONFOUNDED,
	                            l->taint == EXACT_UNKNOWN};

	if (!l->taint && l->like[0] != l->like[1])
		j.verdict = l->like[0] ? VERDICT_FAIL : VERDICT_PASS;
	return j;
}

/* The values of differences at a later point, which is now. */
static void look_at_values(const struct exact_run *r, const struct exact_moment *later,
                           const struct hybrid_wanted *goal, struct likeness *l)
{
	for (uint32_t i = 0; i < goal->set->size; i++) {
		const struct difference *d = &goal->later->differences[dd_set_nth(goal->set, i)];

		for (uint64_t place = d->a_address; place < d->a_address + d->size; place++) {
			struct exact_byte byte = exact_get(&r->memory, place);

			if (!byte.writer)
				byte = exact_get(&later->memory[r->base], place);
			note(l, exact_get(&later->memory[0], place).byte == byte.byte,
			     exact_get(&later->memory[1], place).byte == byte.byte, byte.taint);
		}
	}
}

static void look_at_forks(const struct exact_run *r, const struct hybrid_wanted *goal,
                          struct likeness *l)
{
	for (uint32_t i = 0; i < goal->fork_count; i++) {
		int way = r->ways[goal->forks[i] - r->x->alignment->forks.at];

		note(l, way == 0, way == 1, way < 0 ? EXACT_UNKNOWN : EXACT_KNOWN);
	}
}

/* --- what the slice began with --- */

/* Does the event that ends the statement show what it showed in that run? */
static bool shows_event(struct exact_run *r, uint32_t number, unsigned side, uint8_t *taint)
{
	const struct exact_event *event = &r->x->events.at[number];
	const struct exact_value *value = &r->values[number];

	if (!event->instances[side])
		return false;
	if (event->fork)
		return r->ways[event->fork - 1] == (int)side;
	if (exact_is_opaque(r->x->sides[side].execution, event->instances[side]))
		return exact_same(r, event, side, taint);
	*taint = value->taint > *taint ? value->taint : *taint;
	return value->word == exact_made(r->x, side, event->instances[side]);
}

/* Is the statement executed? */
static bool is_reached(const struct exact_run *r, unsigned side, uint64_t time)
{
	const struct alignment *a = r->x->alignment;
	const struct align_fork *fork = alignment_decided(a, side == 0, time);
	int way;

	if (!fork)
		return true;
	way = r->ways[fork - a->forks.at];
	return (way < 0 ? (int)r->base : way) == (int)side;
}

static bool shows_seed(struct exact_run *r, const struct dual_seed *seed, unsigned side,
                       uint8_t *taint)
{
	uint32_t last = EXACT_NONE; /* the others only compute something for it */

	if (!seed->times[side])
		return !is_reached(r, !side, seed->times[!side]);
	if (!is_reached(r, side, seed->times[side]))
		return false;
	for (uint32_t i = 0; i < r->x->events.size; i++)
		if (r->x->events.at[i].statements[side] == seed->times[side] &&
		    r->x->events.at[i].instances[side] && r->values[i].done)
			last = i;
	return last == EXACT_NONE || shows_event(r, last, side, taint);
}

/* In which run does it come first, when both have it, but not at the same point? */
static unsigned earlier(const struct exact *x, const struct dual_seed *seed)
{
	for (uint32_t i = 0; i < x->events.size; i++)
		for (unsigned side = 0; side < 2; side++)
			if (seed->times[side] &&
			    x->events.at[i].statements[side] == seed->times[side])
				return side;
	return 0;
}

/* Where one run ends, as it does in a crash, the other goes on. */
static void look_at_seeds(struct exact_run *r, struct likeness *l)
{
	for (uint32_t i = 0; i < r->x->seed_count; i++) {
		const struct dual_seed *seed = &r->x->seeds[i];
		unsigned first = earlier(r->x, seed);
		uint8_t taint = EXACT_KNOWN;
		bool shows[2];

		shows[first] = shows_seed(r, seed, first, &taint);
		shows[!first] = shows_seed(r, seed, !first, &taint);
		if (shows[first] && seed->times[0] && seed->times[1] &&
		    alignment_of_a(r->x->alignment, seed->times[0]) != seed->times[1])
			shows[!first] = false;
		note(l, shows[0], shows[1], taint);
	}
}

/* --- all --- */

static void exact_run_deinit(struct exact_run *r)
{
	exact_words_deinit(&r->memory);
	free(r->values);
	free(r->ways);
	vec_deinit(&r->wide);
	vec_deinit(&r->open);
	arena_deinit(&r->arena);
}

static void exact_run_init(struct exact_run *r, struct exact *x, bool in_failing,
                           const struct exact_moment *moment)
{
	*r = (struct exact_run){.x = x,
	                        .base = in_failing ? 0 : 1,
	                        .times = {moment->times[0], moment->times[1]},
	                        .moment = moment,
	                        .values = mem_alloc((x->events.size + 1) * sizeof(*r->values)),
	                        .ways = mem_alloc(x->alignment->forks.size + 1)};
	memset(r->ways, -1, x->alignment->forks.size);
}

struct hence_error *exact_judge(struct exact *x, const struct hybrid_point *point, bool in_failing,
                                const struct dd_set *set, const struct hybrid_wanted *goal,
                                struct exact_judgement *out)
{
	const struct exact_moment *moment, *later = NULL;
	struct hence_error *error = exact_moment(x, point, &moment);
	struct likeness l = {.like = {true, true}};
	struct exact_run r;

	if (!error && goal && goal->later)
		error = exact_moment(x, goal->later, &later);
	if (error)
		return error;
	exact_run_init(&r, x, in_failing, moment);
	for (uint32_t i = 0; i < set->size; i++)
		replace(&r, point, dd_set_nth(set, i));
	if (later) {
		run(&r, later->times);
		look_at_values(&r, later, goal, &l);
	}
	if (!later || goal->fork_count)
		run(&r, NULL);
	if (goal)
		look_at_forks(&r, goal, &l);
	else
		look_at_seeds(&r, &l);
	note(&l, true, true, r.lost);
	*out = judgement(&l);
	exact_run_deinit(&r);
	return NULL;
}
