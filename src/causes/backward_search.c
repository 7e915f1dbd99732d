/*
 * Where the variables of a step became what they are: see backward.h for the two algorithms (M3). A set is the
 * same at two points when its variables were written by the same statements in both runs, and bring
 * about the same goal. Where a value that differs is in no variable, nothing can be said: such
 * points are passed over.
 */
#include "causes/between.h"
#include "causes/backward_work.h"

#define FEW    14u /* points that are prepared at a time */
#define LIKELY 4u  /* definitions whose points are prepared together */

enum sameness {
	SAME,
	OTHER,
	UNUSABLE,
};

/* --- definitions --- */

uint64_t search_before_one(const struct walker *w, const struct difference *d)
{
	const struct alignment *alignment = w->h.alignment;
	uint64_t a = d->a_written ? alignment_until_a(alignment, d->a_written) : 0;
	uint64_t b = d->b_written ? alignment_until_b(alignment, d->b_written) : 0;
	uint64_t latest = a > b ? a : b;

	return latest < w->first ? 0 : latest;
}

uint64_t search_before(const struct walker *w, const struct backward_set *set)
{
	uint64_t latest = 0;

	for (uint32_t i = 0; i < set->chosen.size; i++) {
		uint64_t before =
			search_before_one(w, &set->point->differences[dd_set_nth(&set->chosen, i)]);

		latest = before > latest ? before : latest;
	}
	return latest;
}

/* --- is it the same at another point? --- */

static bool same_variable(const struct walker *w, const struct hybrid_point *p,
                          const struct difference *x, const struct hybrid_point *q,
                          const struct difference *y)
{
	return x->a_address == y->a_address && x->a_written == y->a_written &&
	       x->b_written == y->b_written && x->size == y->size &&
	       transition_path_key(&w->path, p->times[true], x) ==
	               transition_path_key(&w->path, q->times[true], y);
}

/* The same variables at another point. False: one is not there, or was written by others. */
static bool map_set(const struct walker *w, const struct backward_set *set,
                    const struct hybrid_point *to, struct dd_set *out)
{
	uint32_t i;

	dd_set_init(out, to->count, false);
	for (uint32_t n = 0; n < set->chosen.size; n++) {
		const struct difference *d = &set->point->differences[dd_set_nth(&set->chosen, n)];

		for (i = 0; i < to->count; i++)
			if (same_variable(w, set->point, d, to, &to->differences[i]))
				break;
		if (i == to->count)
			return false;
		dd_set_put(out, i, true);
	}
	return true;
}

/* Does it bring about the goal there? A hybrid in which the goal cannot be seen (the values needed a new block,
   so others lie elsewhere) is judged by the symptom. */
static struct hence_error *is_sufficient(struct walker *w, struct hybrid_point *point,
                                         enum hybrid_way way, const struct dd_set *set,
                                         struct hybrid_goal *goal, bool *out)
{
	enum verdict wanted = way == HYBRID_FAILING ? VERDICT_PASS : VERDICT_FAIL;
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error = hybrid_ask(&w->h, point, way, set, goal, &verdict);

	if (!error && goal && verdict == VERDICT_UNRESOLVED)
		error = hybrid_ask(&w->h, point, way, set, NULL, &verdict);
	*out = verdict == wanted;
	return error;
}

/* If it is the same there, the set moves to that point. */
static struct hence_error *probe(struct walker *w, struct hybrid_goal *goal,
                                 struct backward_set *set, uint64_t time, enum sameness *out)
{
	struct hybrid_point *point;
	struct hence_error *error = walker_point(w, time, &point);
	struct dd_set mapped;
	bool sufficient = false;

	if (error)
		return error;
	*out = OTHER;
	if (map_set(w, set, point, &mapped)) {
		error = is_sufficient(w, point, set->way, &mapped, goal, &sufficient);
		if (sufficient)
			*out = SAME;
		else if (state_diff_hidden(point->diff))
			*out = UNUSABLE;
	}
	if (!error && *out == SAME) {
		dd_set_deinit(&set->chosen);
		set->chosen = mapped;
		set->point = point;
	} else {
		dd_set_deinit(&mapped);
	}
	return error;
}

/* --- search by halves --- */

static void leave_out(struct path_times *times, uint32_t at)
{
	times->at.size--;
	memmove(times->at.at + at, times->at.at + at + 1,
	        (times->at.size - at) * sizeof(*times->at.at));
}

/* One level: points that were chosen between set->before, where the set is another, and its own. */
static struct hence_error *halve(struct walker *w, struct hybrid_goal *goal,
                                 struct backward_set *set, struct path_times *times)
{
	uint32_t low = 0, high = times->at.size;
	struct hence_error *error = walker_prepare(w, times->at.at, times->at.size);

	while (low < high && !error && !walker_is_over(w)) {
		uint32_t middle = low + (high - low) / 2;
		uint64_t time = times->at.at[middle];
		enum sameness sameness;

		error = probe(w, goal, set, time, &sameness);
		if (error)
			break;
		if (sameness == SAME) {
			high = middle;
		} else if (sameness == OTHER) {
			set->before = time;
			low = middle + 1;
		} else {
			leave_out(times, middle);
			high--;
		}
	}
	return error;
}

/* Level by level, until no point is left between, or none that can be used. */
static struct hence_error *narrow(struct walker *w, struct hybrid_goal *goal,
                                  struct backward_set *set)
{
	struct hence_error *error = NULL;
	bool moved = true;

	while (moved && !error && !walker_is_over(w)) {
		uint64_t before = set->before, at = set->point->times[true];
		struct path_times times = {0};

		between_list(w->h.alignment, &w->path, before, at, FEW, &times);
		if (times.at.size)
			error = halve(w, goal, set, &times);
		moved = set->before != before || set->point->times[true] != at;
		vec_deinit(&times.at);
	}
	return error;
}

/* --- the algorithms --- */

/* Points of definitions that are likely to be next are prepared as well. */
static struct hence_error *prepare_likely(struct walker *w, const struct backward_set *set,
                                          uint64_t behind, uint64_t before)
{
	uint64_t times[2 * LIKELY + 2] = {behind}, limit = before;
	uint32_t count = 1;

	if (before)
		times[count++] = before;
	while (limit && count < 2 * LIKELY) {
		uint64_t latest = 0;

		for (uint32_t i = 0; i < set->point->count; i++) {
			uint64_t time = search_before_one(w, &set->point->differences[i]);

			latest = time > latest && time < limit ? time : latest;
		}
		if (latest) {
			times[count++] = latest;
			times[count++] = alignment_from_a(w->h.alignment, latest + 1);
		}
		limit = latest;
	}
	return walker_prepare(w, times, count);
}

static struct hence_error *search_by_dependence(struct walker *w, struct hybrid_goal *goal,
                                                struct backward_set *set)
{
	uint64_t before = search_before(w, set);
	uint64_t behind = before ? alignment_from_a(w->h.alignment, before + 1) : w->first;
	struct hence_error *error;
	enum sameness sameness;

	set->before = before;
	error = prepare_likely(w, set, behind, before);
	if (error || behind >= set->point->times[true])
		return error;
	error = probe(w, goal, set, behind, &sameness);
	if (error || sameness == SAME)
		return error;
	set->before = before ? before : w->first;
	return narrow(w, goal, set);
}

/* Up the calls that are under way: the set is the same in front of those that it did not begin in. */
static struct hence_error *climb(struct walker *w, struct hybrid_goal *goal,
                                 struct backward_set *set)
{
	struct hence_error *error = NULL;

	for (uint32_t depth = transition_path_depth(&w->path, set->point->times[true]);
	     depth-- > 1 && !error && !walker_is_over(w);) {
		uint64_t at = set->point->times[true];
		uint64_t begin = alignment_from_a(w->h.alignment,
		                                  transition_path_entered(&w->path, at, depth));
		enum sameness sameness = SAME;

		if (begin <= w->first || begin >= at)
			continue;
		error = probe(w, goal, set, begin, &sameness);
		if (!error && sameness == OTHER) {
			set->before = begin;
			break;
		}
	}
	return error;
}

static struct hence_error *search_by_levels(struct walker *w, struct hybrid_goal *goal,
                                            struct backward_set *set)
{
	enum sameness sameness = SAME;
	struct hence_error *error = NULL;

	set->before = 0;
	if (set->point->times[true] > w->first)
		error = probe(w, goal, set, w->first, &sameness);
	if (error || sameness == SAME)
		return error;
	set->before = w->first;
	error = climb(w, goal, set);
	return error ? error : narrow(w, goal, set);
}

struct hence_error *search_back(struct walker *w, struct hybrid_goal *goal,
                                struct backward_set *set)
{
	return w->options->algorithm == BACKWARD_DEPENDENCE ? search_by_dependence(w, goal, set)
	                                                    : search_by_levels(w, goal, set);
}
