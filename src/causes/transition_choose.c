/*
 * Which points are looked at: see transition_work.h. Calls of functions come first, those nearest to
 * main, then statements; but where it is known who wrote a variable that is relevant, the points before
 * and behind that statement are the best.
 */
#include "causes/between.h"
#include "causes/transition_work.h"

#define FAR_BACK 8u /* statements before one that wrote a variable */

_Static_assert(TRANSITION_CHOICES >= TRANSITION_FEW + 6,
               "there is room for points that are likely");

/* --- who made a variable --- */

/* The statement of the failing run that stands for one of the reference: its counterpart, or the branch by
   which the failing run went elsewhere. */
static uint64_t counterpart_of(const struct finder *f, uint64_t reference)
{
	const struct align_fork *fork;
	uint64_t time;

	if (!reference)
		return 0;
	time = alignment_of_b(f->h.alignment, reference);
	if (time)
		return time;
	fork = alignment_decided(f->h.alignment, false, reference);
	return fork ? fork->a : 0;
}

/* What was written last, in either run. */
static uint64_t maker_of(const struct finder *f, const struct look_variable *v)
{
	uint64_t other = counterpart_of(f, v->reference_written);

	return other > v->failing_written ? other : v->failing_written;
}

uint64_t choose_maker(const struct finder *f, const struct look *look)
{
	uint64_t latest = 0;

	for (uint32_t i = 0; i < look->variables.size; i++) {
		uint64_t maker = maker_of(f, &look->variables.at[i]);

		latest = maker > latest && maker < look->time ? maker : latest;
	}
	return latest;
}

/* --- points between --- */

uint64_t choose_count(void *context, uint64_t from, uint64_t to)
{
	const struct finder *f = context;

	return between_count(f->h.alignment, from, to);
}

static void insert(struct transition_choice *out, uint32_t *count, uint64_t time, bool likely)
{
	uint32_t at = 0;

	while (at < *count && out[at].time < time)
		at++;
	if (at < *count && out[at].time == time) {
		out[at].likely |= likely;
		return;
	}
	memmove(&out[at + 1], &out[at], (*count - at) * sizeof(*out));
	out[at] = (struct transition_choice){time, likely};
	++*count;
}

/* The points around the statement that made what is relevant at the end. What it wrote may have been in
   no variable right before (the result of a call), so there are more before it. */
static void add_likely(const struct finder *f, uint64_t from, uint64_t to,
                       struct transition_choice *out, uint32_t *count)
{
	const struct look *look = isolate_look(f, to);
	uint64_t maker = look ? choose_maker(f, look) : 0, time;

	if (maker < from)
		return;
	time = alignment_until_a(f->h.alignment, maker);
	if (time > from && time < to)
		insert(out, count, time, true);
	time = alignment_from_a(f->h.alignment, maker + 1);
	if (time > from && time < to)
		insert(out, count, time, true);
	for (uint64_t step = 1; step <= FAR_BACK && maker > from + step; step *= 2) {
		time = alignment_until_a(f->h.alignment, maker - step);
		if (time > from && time < to)
			insert(out, count, time, false);
	}
}

uint32_t choose_between(void *context, uint64_t from, uint64_t to, struct transition_choice *out)
{
	struct finder *f = context;
	struct path_times times = {0};
	uint32_t count = 0;

	between_list(f->h.alignment, &f->path, from, to, TRANSITION_FEW, &times);
	for (uint32_t i = 0; i < times.at.size; i++)
		insert(out, &count, times.at.at[i], false);
	vec_deinit(&times.at);
	add_likely(f, from, to, out, &count);
	return count;
}

uint32_t choose_back(void *context, uint64_t from, uint64_t to, struct transition_choice *out)
{
	const struct finder *f = context;
	uint32_t count = 0;

	for (uint64_t step = 1; count < TRANSITION_CHOICES && step < to - from; step *= 2) {
		uint64_t time = alignment_until_a(f->h.alignment, to - step);

		if (time <= from)
			break;
		insert(out, &count, time, false);
	}
	return count;
}

/* --- the same variables with other values --- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* How a value is printed may depend on the point, so it must have been written as well. */
static bool same_value(const struct look_variable *a, const struct look_variable *b)
{
	if (a->text || (a->failing_written == b->failing_written &&
	                a->reference_written == b->reference_written))
		return true;
	return same_text(a->failing, b->failing) && same_text(a->reference, b->reference);
}

bool choose_same_values(const struct look *a, const struct look *b)
{
	for (uint32_t i = 0; i < a->variables.size; i++)
		for (uint32_t k = 0; k < b->variables.size; k++)
			if (a->variables.at[i].key == b->variables.at[k].key &&
			    !same_value(&a->variables.at[i], &b->variables.at[k]))
				return false;
	return true;
}

uint64_t choose_detour(void *context, uint64_t from, uint64_t to)
{
	const struct finder *f = context;
	const struct look *a = isolate_look(f, from), *b = isolate_look(f, to);
	uint64_t time;

	if (!a || !b || choose_same_values(a, b))
		return 0;
	time = alignment_until_a(f->h.alignment, choose_maker(f, b));
	return time > from && time < to ? time : 0;
}
