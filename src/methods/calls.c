/* The calls of a run: see calls.h. */
#include "methods/calls.h"

#include "trace/history.h"

#define MOST_CALLS 4000000u /* that are kept */

struct search {
	struct calls *out;
	uint64_t until;
	uint64_t count;   /* of calls that are kept */
	uint32_t deepest; /* levels from this on are not kept */
	VEC(bool) kept;   /* for each call under way */
	bool returned;    /* the one on top has, or will before the next statement */
	uint64_t latest;  /* statement */
};

void calls_deinit(struct calls *calls)
{
	for (uint32_t i = 0; i < calls->levels.size; i++)
		vec_deinit(&calls->levels.at[i].calls);
	vec_deinit(&calls->levels);
}

/* --- while it is decoded --- */

/* Too many: what is called most deeply is forgotten, until half is gone. */
static void drop_deep(struct search *s)
{
	while (s->out->levels.size > 1 && s->count > MOST_CALLS / 2) {
		struct call_level *level = &s->out->levels.at[--s->out->levels.size];

		s->count -= level->calls.size;
		vec_deinit(&level->calls);
	}
	s->deepest = s->out->levels.size;
	s->out->partial = true;
	for (uint32_t i = s->deepest; i < s->kept.size; i++)
		s->kept.at[i] = false;
}

static void enter(struct search *s, uint64_t time)
{
	uint32_t depth = s->kept.size;

	*vec_push(&s->kept) = depth < s->deepest;
	if (depth >= s->deepest)
		return;
	while (s->out->levels.size <= depth)
		vec_push(&s->out->levels);
	*vec_push(&s->out->levels.at[depth].calls) =
		(struct one_call){.entered = time, .left = UINT64_MAX};
	if (++s->count > MOST_CALLS)
		drop_deep(s);
}

static void leave(struct search *s, uint64_t time)
{
	uint32_t depth = --s->kept.size;
	struct call_level *level;

	if (!s->kept.at[depth])
		return;
	level = &s->out->levels.at[depth];
	level->calls.at[level->calls.size - 1].left = time;
}

/* The call on top has begun: its frame is known. */
static void note_frame(struct search *s, const struct activation *a)
{
	uint32_t depth = s->kept.size - 1;
	struct one_call *call;

	if (!s->kept.at[depth])
		return;
	call = &s->out->levels.at[depth].calls.at[s->out->levels.at[depth].calls.size - 1];
	call->frame = a->address;
	call->size = a->function->plan->frame_size;
}

/* As many calls are under way as the decoder has. One may have returned, and outside code have called
   another since. */
static void follow(struct search *s, const struct execution *e, uint64_t time)
{
	uint32_t depth = execution_depth(e);

	while (s->kept.size > depth || (s->returned && s->kept.size == depth)) {
		s->returned = false;
		leave(s, time);
	}
	s->returned = false;
	while (s->kept.size < depth)
		enter(s, time);
	note_frame(s, execution_top(e, 0));
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct search *s = context;
	const struct activation *a = execution_top(e, 0);

	/* A call of outside code that called back is told again when it returns. */
	if (number <= s->latest)
		return;
	s->latest = number;
	follow(s, e, number);
	if (!s->out->main && !strcmp(a->function->plan->name, "main"))
		s->out->main = number;
	s->returned = a->function->insns[a->pc - 1].op == CODE_RETURN;
	if (event == EXECUTION_CALLS)
		enter(s, number + 1);
	if (number >= s->until)
		walk_halt(execution_walk(e));
}

struct hence_error *calls_find(const struct recording *run, uint64_t until, struct calls *out)
{
	struct calls found = {0};
	struct search s = {.out = &found, .until = until, .deepest = UINT32_MAX};
	struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = &s};
	struct execution *whole, *e;
	struct hence_error *error = history_whole(run, &whole);

	if (whole) {
		uint32_t count;
		const struct history_call *calls = history_calls(run, &count, &found.main);

		for (uint32_t i = 0; i < count && calls[i].entered - 1 <= until; i++) {
			while (found.levels.size <= calls[i].depth)
				vec_push(&found.levels);
			*vec_push(&found.levels.at[calls[i].depth].calls) = (struct one_call){
				.entered = calls[i].entered,
				.left = calls[i].left <= until ? calls[i].left : UINT64_MAX,
				.frame = calls[i].frame,
				.size = calls[i].size};
		}
		found.main = found.main <= until ? found.main : 0;
	} else if (!error) {
		error = execution_create(run->modules, run->folder, run->tape, &options, &e);
		if (error)
			return error;
		error = execution_run(e, run->death);
		execution_destroy(e);
	}
	vec_deinit(&s.kept);
	if (error)
		calls_deinit(&found);
	else
		*out = found;
	return error;
}

/* --- answers --- */

/* How many calls of the level were entered up to `time`. */
static uint32_t entered_by(const struct call_level *level, uint64_t time)
{
	uint32_t low = 0, high = level->calls.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (level->calls.at[middle].entered <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t calls_depth(const struct calls *calls, uint64_t time)
{
	uint32_t depth = 0;

	for (; depth < calls->levels.size; depth++) {
		const struct call_level *level = &calls->levels.at[depth];
		uint32_t entered = entered_by(level, time);

		if (!entered || level->calls.at[entered - 1].left <= time)
			break;
	}
	return depth;
}

uint64_t calls_entered(const struct calls *calls, uint64_t time, uint32_t depth)
{
	const struct call_level *level = &calls->levels.at[depth];

	return level->calls.at[entered_by(level, time) - 1].entered;
}

uint64_t calls_owner(const struct calls *calls, uint64_t time, uint64_t address)
{
	uint32_t depth = calls_depth(calls, time);

	for (uint32_t i = 0; i < depth; i++) {
		const struct call_level *level = &calls->levels.at[i];
		const struct one_call *call = &level->calls.at[entered_by(level, time) - 1];

		if (address - call->frame < call->size)
			return call->entered;
	}
	return 0;
}

uint64_t calls_key(const struct calls *calls, uint64_t time, const struct difference *d)
{
	uint64_t at = d->a_text ? d->a_text : d->a_address;

	if (!at)
		return ~d->b_address;
	return at ^ calls_owner(calls, time, at) << 48;
}

static bool is_entered_at(const struct calls *calls, uint64_t time)
{
	for (uint32_t i = 0; i < calls->levels.size; i++) {
		const struct call_level *level = &calls->levels.at[i];
		uint32_t entered = entered_by(level, time);

		if (entered && level->calls.at[entered - 1].entered == time)
			return true;
	}
	return false;
}

bool calls_is_call(const struct calls *calls, uint64_t time)
{
	/* What begins next may also be called back by outside code, or return to a caller. */
	return is_entered_at(calls, time + 1) &&
	       calls_depth(calls, time + 1) == calls_depth(calls, time) + 1;
}

bool calls_is_entry(const struct calls *calls, uint64_t time)
{
	return is_entered_at(calls, time);
}

static void add_time(struct call_times *out, uint64_t time, uint64_t from, uint64_t to)
{
	if (time > from && time < to && (!out->at.size || out->at.at[out->at.size - 1] < time))
		*vec_push(&out->at) = time;
}

/* The calls of one level; a return is before the next call. */
static void list_level(const struct call_level *level, uint64_t from, uint64_t to,
                       struct call_times *out)
{
	uint32_t i = entered_by(level, from);

	for (i = i ? i - 1 : 0; i < level->calls.size && level->calls.at[i].entered - 1 < to; i++) {
		add_time(out, level->calls.at[i].entered - 1, from, to);
		add_time(out, level->calls.at[i].entered, from, to);
		if (level->calls.at[i].left != UINT64_MAX)
			add_time(out, level->calls.at[i].left, from, to);
	}
}

void calls_inside(const struct calls *calls, uint64_t time, uint32_t most, struct call_times *out)
{
	uint32_t depth = calls_depth(calls, time), from, to;
	uint64_t begin = depth ? calls_entered(calls, time, depth - 1) : 0;
	const struct call_level *level = &calls->levels.at[depth];

	if (depth >= calls->levels.size)
		return;
	from = entered_by(level, begin);
	to = entered_by(level, time);
	for (uint32_t i = to - from > most ? to - most : from; i < to; i++) {
		add_time(out, level->calls.at[i].entered - 1, begin, time);
		add_time(out, level->calls.at[i].left - 1, begin, time);
	}
}

/* --- points that both runs have, between two others --- */

/* The first span that does not end before `time`. */
static uint32_t span_from(const struct alignment *alignment, uint64_t time)
{
	uint32_t low = 0, high = alignment->spans.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct align_span *span = &alignment->spans.at[middle];

		if (span->a + span->count <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The part of a span that lies between two times, without them; empty: none. */
static struct align_span part_between(const struct align_span *span, uint64_t from, uint64_t to)
{
	uint64_t begin = span->a > from ? span->a : from + 1;
	uint64_t end = span->a + span->count < to ? span->a + span->count : to;

	return (struct align_span){.a = begin, .count = end > begin ? end - begin : 0};
}

uint64_t calls_count_between(const struct alignment *alignment, uint64_t from, uint64_t to)
{
	uint64_t total = 0;

	for (uint32_t i = span_from(alignment, from + 1);
	     i < alignment->spans.size && alignment->spans.at[i].a < to; i++)
		total += part_between(&alignment->spans.at[i], from, to).count;
	return total;
}

/* Aligned times in the interval, evenly chosen, all of them if they are few. */
static void list_statements(const struct alignment *alignment, uint64_t from, uint64_t to,
                            uint64_t most, struct call_times *out)
{
	uint64_t total = calls_count_between(alignment, from, to), passed = 0;

	most = total < most ? total : most;
	for (uint32_t i = span_from(alignment, from + 1); out->at.size < most; i++) {
		struct align_span part = part_between(&alignment->spans.at[i], from, to);

		while (out->at.size < most) {
			uint64_t rank = (2 * out->at.size + 1) * total / (2 * most);

			if (rank >= passed + part.count)
				break;
			*vec_push(&out->at) = part.a + (rank - passed);
		}
		passed += part.count;
	}
}

/* Times at which functions of the lowest depth that has any are called, begin, or have returned. */
static void list_calls(const struct calls *calls, const struct alignment *alignment, uint64_t from,
                       uint64_t to, struct call_times *out)
{
	for (uint32_t depth = 0; depth < calls->levels.size && !out->at.size; depth++) {
		uint32_t kept = 0;

		list_level(&calls->levels.at[depth], from, to, out);
		for (uint32_t i = 0; i < out->at.size; i++)
			if (alignment_of_a(alignment, out->at.at[i]))
				out->at.at[kept++] = out->at.at[i];
		out->at.size = kept;
	}
}

void calls_between(const struct calls *calls, const struct alignment *alignment, uint64_t from,
                   uint64_t to, uint32_t most, struct call_times *out)
{
	uint32_t size;

	if (calls_count_between(alignment, from, to) > most)
		list_calls(calls, alignment, from, to, out);
	if (!out->at.size)
		list_statements(alignment, from, to, most, out);
	size = out->at.size;
	if (size <= most)
		return;
	for (uint32_t i = 0; i < most; i++)
		out->at.at[i] = out->at.at[(uint64_t)(2 * i + 1) * size / (2 * most)];
	out->at.size = most;
}
