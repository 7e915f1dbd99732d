/* The instances of a dual slice in the order of both runs: see exact_work.h. */
#include "causes/exact_work.h"

void exact_list(struct exact *x, unsigned side)
{
	struct exact_side *s = &x->sides[side];
	uint32_t first, end;

	s->execution = dual_execution(x->dual, side);
	execution_kept(s->execution, &first, &end);
	for (uint32_t i = first; i < end; i++)
		s->count += dual_has(x->dual, side, i);
	s->instances = mem_alloc((s->count + 1ull) * sizeof(*s->instances));
	s->events = mem_alloc((s->count + 1ull) * sizeof(*s->events));
	s->count = 0;
	for (uint32_t i = first; i < end; i++)
		if (dual_has(x->dual, side, i))
			s->instances[s->count++] = i;
}

/* Both runs, each at the next of its instances. */
struct joining {
	struct exact *x;
	uint32_t next[2];
};

static uint32_t coming(const struct joining *j, unsigned side)
{
	const struct exact_side *s = &j->x->sides[side];

	return j->next[side] < s->count ? s->instances[j->next[side]] : 0;
}

static uint64_t coming_statement(const struct joining *j, unsigned side)
{
	uint32_t instance = coming(j, side);

	return instance ? dual_statement(j->x->dual, side, instance) : UINT64_MAX;
}

static void take(struct joining *j, const uint32_t instances[2])
{
	struct exact_event *event = vec_push(&j->x->events);

	for (unsigned side = 0; side < 2; side++) {
		if (!instances[side])
			continue;
		event->instances[side] = instances[side];
		event->statements[side] = dual_statement(j->x->dual, side, instances[side]);
		if (coming(j, side) == instances[side])
			j->x->sides[side].events[j->next[side]++] = j->x->events.size - 1;
	}
}

/* What one run has alone, up to that statement. */
static void take_alone(struct joining *j, unsigned side, uint64_t until)
{
	while (coming_statement(j, side) < until) {
		uint32_t instances[2] = {0};

		instances[side] = coming(j, side);
		take(j, instances);
	}
}

/* The next of two runs that are in aligned statements. */
static void take_aligned(struct joining *j, bool first, bool second)
{
	uint32_t a = first ? coming(j, 0) : 0, b = second ? coming(j, 1) : 0;
	uint32_t of_a = a ? dual_counterpart(j->x->dual, 0, a) : 0;
	uint32_t of_b = b ? dual_counterpart(j->x->dual, 1, b) : 0;

	if (a && (!b || !of_a || (of_b && of_a <= b)))
		take(j, (uint32_t[]){a, of_a});
	else
		take(j, (uint32_t[]){of_b, b});
}

static void take_span(struct joining *j, const struct align_span *span)
{
	for (;;) {
		bool first = coming_statement(j, 0) < span->a + span->count;
		bool second = coming_statement(j, 1) < span->b + span->count;

		if (!first && !second)
			return;
		take_aligned(j, first, second);
	}
}

/* --- forks --- */

/* The last fork at or before the event, 1 + its index; 0: none. */
static uint32_t fork_before(const struct exact *x, const struct exact_event *event)
{
	unsigned side = event->instances[0] ? 0 : 1;
	uint32_t low = 0, high = x->alignment->forks.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct align_fork *fork = &x->alignment->forks.at[middle];

		if ((side ? fork->b : fork->a) <= event->statements[side])
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool decides(const struct exact *x, const struct exact_event *event,
                    const struct align_fork *fork)
{
	uint8_t op = execution_insn(x->sides[0].execution, event->instances[0])->op;

	if (event->statements[0] != fork->a || event->statements[1] != fork->b)
		return false;
	return fork->kind == FORK_CALL ? op == CODE_CALL
	                               : op == CODE_BRANCH || op == CODE_SWITCH || op == CODE_JUMP;
}

/* An instance of one run alone may belong to the statement at which the ways meet again: its block has
   none of its own. */
static void place_among_forks(const struct exact *x, struct exact_event *event)
{
	bool both = event->instances[0] && event->instances[1];
	unsigned side = event->instances[0] ? 0 : 1;
	uint64_t time = event->statements[side];

	for (uint32_t index = fork_before(x, event), n = 0; index && n < 2; index--, n++) {
		const struct align_fork *fork = &x->alignment->forks.at[index - 1];
		uint64_t begin = side ? fork->b : fork->a, end = side ? fork->b_end : fork->a_end;

		if (both && decides(x, event, fork))
			event->fork = index;
		if (both && time == end)
			event->behind = index;
		if (!both && time > begin && time <= end)
			event->region = index;
	}
}

/* --- all --- */

void exact_join(struct exact *x)
{
	struct joining j = {.x = x};

	for (uint32_t i = 0; i < x->alignment->spans.size; i++) {
		const struct align_span *span = &x->alignment->spans.at[i];

		take_alone(&j, 0, span->a);
		take_alone(&j, 1, span->b);
		take_span(&j, span);
	}
	take_alone(&j, 0, UINT64_MAX);
	take_alone(&j, 1, UINT64_MAX);
	for (uint32_t i = 0; i < x->events.size; i++)
		place_among_forks(x, &x->events.at[i]);
}
