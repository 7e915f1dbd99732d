/* Cause transitions: see transitions.h. */
#include "methods/transitions.h"

#include "base/guard.h"
#include "methods/hybrid.h"
#include "methods/calls.h"

/* ------ the search in time (cts) ------ */

/* Points that were prepared for one interval: from moment `at` to the next. */
struct interval {
	uint32_t at;
	bool detour; /* the only point is looked at though the sets are the same */
	uint32_t count;
	struct transition_choice choices[TRANSITION_CHOICES];
};

struct round {
	const struct transition_search *search;
	struct transition_moments *moments;
	VEC(struct interval) open;
};

static bool search_is_over(struct round *r)
{
	if (!r->moments->stopped && budget_is_over(r->search->budget))
		r->moments->stopped = true;
	return r->moments->stopped;
}

/* --- which points come next --- */

/* Does nothing change between two moments? Where nothing could be isolated, something may be at points
   between. */
static bool is_same(const struct transition_moment *a, const struct transition_moment *b)
{
	return a->set == b->set && a->set;
}

/* Is something to be found between two moments? */
static bool is_open(const struct round *r, uint32_t i)
{
	const struct transition_moment *a = &r->moments->all.at[i], *b = a + 1;
	uint64_t count;

	if (is_same(a, b) || b->direct)
		return false;
	count = r->search->count(r->search->context, a->time, b->time);
	if (!count)
		r->moments->all.at[i + 1].direct = a->set != b->set;
	return count && (a->set != b->set || count <= TRANSITION_FEW);
}

/* Where nothing could be isolated at two moments that are far apart, points are tried back from the
   second, once, if something is relevant after it: what made it so was somewhere. */
static void add_back(struct round *r, uint32_t i)
{
	struct transition_moment *a = &r->moments->all.at[i], *b = a + 1;
	struct interval *interval;

	if (a->set || b->set || b->checked || i + 2 >= r->moments->all.size || !b[1].set)
		return;
	b->checked = true;
	interval = vec_push(&r->open);
	interval->at = i;
	interval->count = r->search->back(r->search->context, a->time, b->time, interval->choices);
	r->open.size -= !interval->count;
}

/* The point of a detour, once for each two moments. */
static bool add_detour(struct round *r, uint32_t i)
{
	const struct transition_moment *a = &r->moments->all.at[i], *b = a + 1;
	struct interval *interval;
	uint64_t time;

	if (!is_same(a, b) || b->checked)
		return false;
	r->moments->all.at[i + 1].checked = true;
	time = r->search->detour(r->search->context, a->time, b->time);
	if (!time)
		return false;
	interval = vec_push(&r->open);
	interval->at = i;
	interval->detour = true;
	interval->count = 1;
	interval->choices[0].time = time;
	return true;
}

/* The intervals in which something changes, and points of them. */
static void choose_intervals(struct round *r)
{
	r->open.size = 0;
	for (uint32_t i = 0; i + 1 < r->moments->all.size; i++) {
		struct interval *interval;

		if (add_detour(r, i))
			continue;
		if (!is_open(r, i)) {
			add_back(r, i);
			continue;
		}
		interval = vec_push(&r->open);
		interval->at = i;
		interval->count =
			r->search->between(r->search->context, r->moments->all.at[i].time,
		                           r->moments->all.at[i + 1].time, interval->choices);
	}
}

/* --- one interval --- */

static void insert_moment(struct transition_moments *moments, uint32_t at,
                          struct transition_moment moment)
{
	vec_push(&moments->all);
	memmove(&moments->all.at[at + 1], &moments->all.at[at],
	        (moments->all.size - 1 - at) * sizeof(moment));
	moments->all.at[at] = moment;
}

/* Between moments `at` and at + 1, with the choices from `low` up to, but not with, `high`. The later
   half comes first, so that numbers of moments before it stay. */
static struct hence_error *split(struct round *r, const struct interval *interval, uint32_t at,
                                 uint32_t low, uint32_t high)
{
	struct transition_moments *m = r->moments;
	struct transition_moment moment = {0};
	struct hence_error *error;
	uint32_t chosen = low;

	if (low == high || search_is_over(r) ||
	    (!interval->detour && is_same(&m->all.at[at], &m->all.at[at + 1])))
		return NULL;
	while (chosen < high && !interval->choices[chosen].likely)
		chosen++;
	if (chosen == high)
		chosen = low + (high - low) / 2;
	moment.time = interval->choices[chosen].time;
	error = r->search->relevant(r->search->context, moment.time, m->all.at[at].set,
	                            m->all.at[at + 1].set, &moment.set);
	if (error)
		return error;
	/* No detour: it is not looked for any further back. */
	moment.checked = interval->detour && moment.set == m->all.at[at].set;
	insert_moment(m, at + 1, moment);
	error = split(r, interval, at + 1, chosen + 1, high);
	return error ? error : split(r, interval, at, low, chosen);
}

/* --- all --- */

struct hence_error *transition_search_run(const struct transition_search *search,
                                          struct transition_moments *moments)
{
	struct round r = {.search = search, .moments = moments};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error = NULL;

	for (choose_intervals(&r); !error && r.open.size && !search_is_over(&r);
	     choose_intervals(&r)) {
		times.size = 0;
		for (uint32_t i = 0; i < r.open.size; i++)
			for (uint32_t k = 0; k < r.open.at[i].count; k++)
				*vec_push(&times) = r.open.at[i].choices[k].time;
		error = search->prepare(search->context, times.at, times.size);
		for (uint32_t i = r.open.size; i-- > 0 && !error;)
			error = split(&r, &r.open.at[i], r.open.at[i].at, 0, r.open.at[i].count);
	}
	vec_deinit(&times);
	vec_deinit(&r.open);
	return error;
}

void transition_moments_add(struct transition_moments *moments, uint64_t time, uint32_t set)
{
	uint32_t at = 0;

	while (at < moments->all.size && moments->all.at[at].time < time)
		at++;
	insert_moment(moments, at, (struct transition_moment){.time = time, .set = set});
}

/* A variable of a point that was looked at. */
struct look_variable {
	uint64_t key; /* who it is: the same for the same object and offset at all points */
	char *name, *failing, *reference, *function;
	bool text;   /* or a part of one */
	bool hidden; /* the compiler's own: what a function is going to return */
	uint64_t failing_written, reference_written; /* as in struct difference */
};

/* A point that was looked at. */
struct look {
	uint64_t time;   /* in the failing run */
	uint32_t set;    /* 0: nothing could be isolated */
	bool incomplete; /* since a value that differs was in no variable */
	VEC(struct look_variable) variables;
};

/* A set of variables: keys, in order. Number n is at n - 1. */
struct key_set {
	VEC(uint64_t) keys;
};

struct finder {
	struct hybrids h;
	bool all_points;
	struct calls calls;
	uint64_t first, last; /* times of the failing run that are searched */
	VEC(struct key_set) sets;
	VEC(struct look) looks;
	VEC(struct hybrid_point) points; /* that are prepared, in order of time */
	struct transitions *out;
};

/* The moments of the chain: the first at which something is relevant, and those where it is
   something else than before; and where the same variables have got other values on the way, the
   first with the last of these. */
struct chain {
	VEC(uint32_t) at; /* numbers of moments */
};

/* A branch that went another way in the reference, and made other variables the cause. */
struct fork_step {
	uint32_t link; /* number of the moment in the chain that it comes after */
	struct explanation_step step;
};

struct fork_steps {
	VEC(struct fork_step) all; /* in order */
};

/* ------ the finder: what all parts of the search share ------ */

/* A note for the report. */
static void finder_note(struct finder *f, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	*vec_push(&f->out->found.notes) = str_steal(&text);
}

static bool finder_is_over(struct finder *f)
{
	if (!f->out->found.stopped && budget_is_over(f->h.pair.budget))
		f->out->found.stopped = true;
	return f->out->found.stopped;
}

static void forget_points(struct finder *f)
{
	for (uint32_t i = 0; i < f->points.size; i++)
		hybrid_point_deinit(&f->points.at[i]);
	f->points.size = 0;
}

/* Makes points ready; those before are gone. */
static struct hence_error *finder_prepare(struct finder *f, const uint64_t *times, uint32_t count)
{
	struct hence_error *error;

	forget_points(f);
	vec_reserve(&f->points, count);
	error = hybrids_prepare(&f->h, times, count, f->points.at);
	if (!error)
		f->points.size = count;
	return error;
}

static struct hybrid_point *finder_point(struct finder *f, uint64_t time)
{
	for (uint32_t i = 0; i < f->points.size; i++)
		if (f->points.at[i].times[true] == time)
			return &f->points.at[i];
	return NULL;
}

/* ------ the search in space ------ */

/* Which of the differences at a point decide between pass and fail (relevant deltas of M2). What
   was relevant at neighbouring points is tried first: it mostly still is, and a chain of causes
   should not change without need. Else delta debugging isolates a difference; if that needs others
   beside it, a set that fails by itself is found within them. */

/* --- who is who --- */

static uint64_t key_of(const struct finder *f, const struct hybrid_point *point,
                       const struct difference *d)
{
	return calls_key(&f->calls, point->times[true], d);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The number of the set of these variables. */
static uint32_t number_of(struct finder *f, const struct look *look)
{
	struct key_set set = {0};
	uint32_t kept = 0, i = 0;

	for (uint32_t k = 0; k < look->variables.size; k++)
		*vec_push(&set.keys) = look->variables.at[k].key;
	if (!set.keys.size)
		return 0;
	qsort(set.keys.at, set.keys.size, sizeof(*set.keys.at), by_value);
	/* Several parts of a text are one variable. */
	for (uint32_t k = 0; k < set.keys.size; k++)
		if (!kept || set.keys.at[k] != set.keys.at[kept - 1])
			set.keys.at[kept++] = set.keys.at[k];
	set.keys.size = kept;
	while (i < f->sets.size &&
	       (f->sets.at[i].keys.size != kept ||
	        memcmp(f->sets.at[i].keys.at, set.keys.at, kept * sizeof(*set.keys.at)) != 0))
		i++;
	if (i < f->sets.size)
		vec_deinit(&set.keys);
	else
		*vec_push(&f->sets) = set;
	return i + 1;
}

/* The differences at a point that are variables of the set. Caller frees with dd_set_deinit(). */
static void isolate_choose(const struct finder *f, const struct hybrid_point *point, uint32_t set,
                           struct dd_set *out)
{
	dd_set_init(out, point->count, false);
	for (uint32_t i = 0; i < point->count && set; i++) {
		const struct key_set *keys = &f->sets.at[set - 1];
		uint64_t key = key_of(f, point, &point->differences[i]);

		if (bsearch(&key, keys->keys.at, keys->keys.size, sizeof(key), by_value))
			dd_set_put(out, i, true);
	}
}

/* --- what was looked at --- */

static void forget_variables(struct look *look)
{
	for (uint32_t i = 0; i < look->variables.size; i++) {
		free(look->variables.at[i].name);
		free(look->variables.at[i].failing);
		free(look->variables.at[i].reference);
		free(look->variables.at[i].function);
	}
	vec_deinit(&look->variables);
}

/* What was found at a point; NULL: it was not looked at. Valid until the next look. */
static struct look *isolate_look(const struct finder *f, uint64_t time)
{
	for (uint32_t i = 0; i < f->looks.size; i++)
		if (f->looks.at[i].time == time)
			return &f->looks.at[i];
	return NULL;
}

/* These differences are what is relevant at the point: its look gets them, and their set. */
static void isolate_set(struct finder *f, const struct hybrid_point *point,
                        const struct dd_set *chosen)
{
	struct look *look = isolate_look(f, point->times[true]);

	if (!look) {
		look = vec_push(&f->looks);
		look->time = point->times[true];
	}
	forget_variables(look);
	for (uint32_t i = 0; i < chosen->size; i++) {
		const struct difference *d = &point->differences[dd_set_nth(chosen, i)];

		*vec_push(&look->variables) = (struct look_variable){
			.key = key_of(f, point, d),
			.name = mem_strdup_or_null(d->name),
			.failing = mem_strdup_or_null(d->a),
			.reference = mem_strdup_or_null(d->b),
			.function = mem_strdup_or_null(d->function),
			.text = d->a_text,
			.hidden = d->function && !d->file,
			.failing_written = d->a_written,
			.reference_written = d->b_written,
		};
	}
	look->set = number_of(f, look);
	look->incomplete = !look->set && point->diff && state_diff_hidden(point->diff);
}

/* --- isolation --- */

/* Takes out of a set that fails what is not needed. */
static struct hence_error *make_minimal(struct finder *f, struct hybrid_point *point,
                                        struct hybrid_goal *goal, struct dd_set *failing)
{
	return failing->size > 1 ? hybrid_minimise(&f->h, point, HYBRID_REFERENCE, goal, failing)
	                         : NULL;
}

/* Do the variables that are relevant elsewhere decide here? Then `out` has them. */
static struct hence_error *try_set(struct finder *f, struct hybrid_point *point, uint32_t set,
                                   struct dd_set *out, bool *found)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set chosen GUARD(dd_set_deinit) = {0};
	struct hence_error *error = NULL;

	isolate_choose(f, point, set, &chosen);
	if (chosen.size)
		error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &chosen, NULL, &verdict);
	if (!error && verdict == VERDICT_FAIL)
		error = make_minimal(f, point, NULL, &chosen);
	*found = !error && verdict == VERDICT_FAIL;
	if (*found)
		dd_set_assign(out, &chosen);
	return error;
}

/* A smallest set of all differences that brings about the goal (NULL: the failure). `out` is empty if all together do
   not. */
static struct hence_error *isolate(struct finder *f, struct hybrid_point *point,
                                   struct hybrid_goal *goal, struct dd_set *out)
{
	struct dd_set passing GUARD(dd_set_deinit) = {0}, failing GUARD(dd_set_deinit) = {0};
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error;

	dd_set_init(&passing, point->count, false);
	dd_set_init(&failing, point->count, true);
	error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &failing, goal, &verdict);
	if (error || verdict != VERDICT_FAIL)
		return error;
	error = hybrid_isolate(&f->h, point, goal, &passing, &failing);
	dd_set_subtract(out, &failing, &passing);
	if (error || !passing.size)
		return error;
	/* Alone it may do nothing: it was found among others that were changed. */
	error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, out, goal, &verdict);
	if (error || verdict == VERDICT_FAIL)
		return error;
	error = make_minimal(f, point, goal, &failing);
	dd_set_assign(out, &failing);
	return error;
}

/* The relevant variables at a point that is prepared: see struct transition_search. Looks at it. */
static struct hence_error *isolate_relevant(void *context, uint64_t time, uint32_t before,
                                            uint32_t after, uint32_t *out)
{
	struct finder *f = context;
	struct hybrid_point *point = finder_point(f, time);
	struct hence_error *error = hybrid_compare(&f->h, point);
	struct dd_set chosen GUARD(dd_set_deinit) = {0};
	bool found = false;

	if (error)
		return error;
	dd_set_init(&chosen, point->count, false);
	if (before)
		error = try_set(f, point, before, &chosen, &found);
	if (!error && !found && after && after != before)
		error = try_set(f, point, after, &chosen, &found);
	if (!error && !found && point->count)
		error = isolate(f, point, NULL, &chosen);
	if (error)
		return error;
	/* What was cut short is not minimal: better nothing. */
	if (finder_is_over(f))
		dd_set_clear(&chosen);
	isolate_set(f, point, &chosen);
	*out = isolate_look(f, time)->set;
	return NULL;
}

/* ------ which points are looked at ------ */

/* Calls of functions come first, those nearest to main, then statements; but where it is known who
   wrote a variable that is relevant, the points before and after that statement are the best. */

#define FAR_BACK 8u /* statements before one that wrote a variable */

_Static_assert(TRANSITION_CHOICES >= TRANSITION_FEW + 6,
               "there is room for points that are likely");

/* --- who made a variable --- */

/* The statement of the failing run that made these variables what they are at a point: that which
   wrote the latest, or the branch by which it was not written. 0: none is known. */
static uint64_t choose_maker(const struct finder *f, const struct look *look)
{
	uint64_t latest = 0;

	for (uint32_t i = 0; i < look->variables.size; i++) {
		/* What was written last, in either run: for a statement of the reference stands its
		   counterpart, or the branch by which the failing run went elsewhere. */
		const struct look_variable *v = &look->variables.at[i];
		uint64_t written = v->reference_written;
		uint64_t other = written ? alignment_of_b(f->h.pair.alignment, written) : 0;
		const struct align_fork *fork =
			written && !other ? alignment_decided(f->h.pair.alignment, false, written)
					  : NULL;

		if (fork)
			other = fork->a;
		uint64_t maker = other > v->failing_written ? other : v->failing_written;

		latest = maker > latest && maker < look->time ? maker : latest;
	}
	return latest;
}

/* --- points between --- */

/* For struct transition_search. */
static uint64_t choose_count(void *context, uint64_t from, uint64_t to)
{
	const struct finder *f = context;

	return calls_count_between(f->h.pair.alignment, from, to);
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

static uint32_t choose_between(void *context, uint64_t from, uint64_t to,
                               struct transition_choice *out)
{
	struct finder *f = context;
	const struct look *look = isolate_look(f, to);
	uint64_t maker = look ? choose_maker(f, look) : 0, time;
	struct call_times times = {0};
	uint32_t count = 0;

	calls_between(&f->calls, f->h.pair.alignment, from, to, TRANSITION_FEW, &times);
	for (uint32_t i = 0; i < times.at.size; i++)
		insert(out, &count, times.at.at[i], false);
	vec_deinit(&times.at);

	/* The points around the statement that made what is relevant at the end. What it wrote may
	   have been in no variable right before (the result of a call), so there are more before
	   it. */
	if (maker >= from) {
		time = alignment_until_a(f->h.pair.alignment, maker);
		if (time > from && time < to)
			insert(out, &count, time, true);
		time = alignment_from_a(f->h.pair.alignment, maker + 1);
		if (time > from && time < to)
			insert(out, &count, time, true);
		for (uint64_t step = 1; step <= FAR_BACK && maker > from + step; step *= 2) {
			time = alignment_until_a(f->h.pair.alignment, maker - step);
			if (time > from && time < to)
				insert(out, &count, time, false);
		}
	}
	return count;
}

static uint32_t choose_back(void *context, uint64_t from, uint64_t to,
                            struct transition_choice *out)
{
	const struct finder *f = context;
	uint32_t count = 0;

	for (uint64_t step = 1; count < TRANSITION_CHOICES && step < to - from; step *= 2) {
		uint64_t time = alignment_until_a(f->h.pair.alignment, to - step);

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

/* Do variables that are relevant at both points have the same values there? How a value is printed may depend on the
   point, so it must have been written as well. */
static bool choose_same_values(const struct look *a, const struct look *b)
{
	for (uint32_t i = 0; i < a->variables.size; i++)
		for (uint32_t k = 0; k < b->variables.size; k++) {
			const struct look_variable *x = &a->variables.at[i];
			const struct look_variable *y = &b->variables.at[k];

			if (x->key == y->key && !x->text &&
			    (x->failing_written != y->failing_written ||
			     x->reference_written != y->reference_written) &&
			    !(same_text(x->failing, y->failing) &&
			      same_text(x->reference, y->reference)))
				return false;
		}
	return true;
}

static uint64_t choose_detour(void *context, uint64_t from, uint64_t to)
{
	const struct finder *f = context;
	const struct look *a = isolate_look(f, from), *b = isolate_look(f, to);
	uint64_t time;

	if (!a || !b || choose_same_values(a, b))
		return 0;
	time = alignment_until_a(f->h.pair.alignment, choose_maker(f, b));
	return time > from && time < to ? time : 0;
}

/* ------ branches as causes ------ */

/* Between two moments of the chain the cause may be in no variable but in the way that the program
   takes: a branch went another way than in the reference. That it is so is shown by letting it go
   the other way, in both runs. */

#define MOST 12u /* branches that are tried between two moments */

/* A branch that may be a cause. */
struct candidate {
	const struct align_fork *fork;
	uint32_t link;
	struct point points[2];
	struct explanation_step step;
};

struct candidates {
	VEC(struct candidate) all;
};

/* --- which branches --- */

static void list_candidates(const struct finder *f, const struct transition_moments *moments,
                            const struct chain *chain, struct candidates *out)
{
	const struct alignment *alignment = f->h.pair.alignment;

	for (uint32_t link = 0; link < chain->at.size; link++) {
		/* The last moment at which the variables of that link of the chain are still
		   relevant. */
		uint32_t next =
			link + 1 < chain->at.size ? chain->at.at[link + 1] : moments->all.size;
		uint32_t set = moments->all.at[chain->at.at[link]].set;

		while (moments->all.at[next - 1].set != set)
			next--;
		uint64_t from = moments->all.at[next - 1].time;

		uint64_t to = link + 1 < chain->at.size
		                      ? moments->all.at[chain->at.at[link + 1]].time
		                      : f->h.pair.symptom->failing_time;
		uint32_t count = 0;

		for (uint32_t i = 0; i < alignment->forks.size && count < MOST; i++) {
			const struct align_fork *fork = &alignment->forks.at[i];
			struct candidate *candidate;

			if (fork->a < from || fork->a >= to || fork->kind != FORK_BRANCH)
				continue;
			candidate = vec_push(&out->all);
			candidate->fork = fork;
			candidate->link = link;
			count++;
		}
	}
}

static struct hence_error *find_points(struct finder *f, struct candidates *candidates,
                                       bool in_failing)
{
	uint32_t count = candidates->all.size;
	uint64_t *times GUARD_FREE = mem_alloc((count + 1) * sizeof(*times));
	struct point *points GUARD_FREE = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		const struct align_fork *fork = candidates->all.at[i].fork;

		times[i] = in_failing ? fork->a : fork->b;
	}
	error = points_find(f->h.pair.runs[in_failing].recording, times, count, points);
	if (!error)
		error = symptom_expect(f->h.pair.symptom, in_failing, times, count);
	for (uint32_t i = 0; i < count && !error; i++)
		candidates->all.at[i].points[in_failing] = points[i];
	return error;
}

/* --- what they are --- */

/* Describes all; those that are no conditional branch have no variable then. */
static struct hence_error *describe(struct finder *f, struct candidates *candidates)
{
	uint32_t count = candidates->all.size;
	struct described_step *described GUARD_FREE = mem_alloc((count + 1) * sizeof(*described));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		struct candidate *candidate = &candidates->all.at[i];

		candidate->step = (struct explanation_step){
			.kind = EXPLANATION_BRANCH,
			.time = candidate->fork->a,
			.reference_time = candidate->fork->b,
			.instance = candidate->points[true].count,
			.reference_instance = candidate->points[false].count,
			.transition = true,
		};
		described[i].step = &candidate->step;
		described[i].maker = candidate->fork->a;
	}
	error = cause_describe(f->h.pair.runs[true].recording, described, count);
	for (uint32_t i = 0; i < count; i++) {
		if (described[i].condition)
			cause_set_decision(&described[i], NULL);
		described_step_deinit(&described[i]);
	}
	return error;
}

/* --- experiments --- */

static struct hence_error *switch_in(struct finder *f, struct candidate *candidate, bool in_failing,
                                     bool *proven)
{
	enum explanation_run in = in_failing ? EXPLANATION_FAILING : EXPLANATION_REFERENCE;
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct explanation_proof *proof;
	struct hence_error *error =
		hybrid_switch(&f->h, &candidate->points[in_failing], in_failing, &verdict);

	if (error)
		return error;
	proof = cause_add_proof(&candidate->step, in, verdict);
	proof->experiment = f->h.asked;
	*proven = cause_is_shown(proof);
	return NULL;
}

/* Proven in both runs, or not at all: one that only one of them proves may be chance. */
static struct hence_error *prove_all(struct finder *f, struct candidates *candidates,
                                     struct fork_steps *out)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < candidates->all.size && !error && !finder_is_over(f); i++) {
		struct candidate *candidate = &candidates->all.at[i];
		bool done = out->all.size && out->all.at[out->all.size - 1].link == candidate->link;

		if (done || !candidate->step.values.size)
			continue;
		error = switch_in(f, candidate, false, &candidate->step.proven);
		if (!error && candidate->step.proven)
			error = switch_in(f, candidate, true, &candidate->step.proven);
		if (error || !candidate->step.proven)
			continue;
		*vec_push(&out->all) = (struct fork_step){candidate->link, candidate->step};
		candidate->step = (struct explanation_step){0};
	}
	return error;
}

/* Looks for branches between the moments of the chain, and after the last, at which the runs part,
   and that both runs prove: each goes on as the other when the branch goes the other way. At most
   one for each two moments: the first. What is left in `out` the caller frees: the points. */
static struct hence_error *fork_steps_find(struct finder *f,
                                           const struct transition_moments *moments,
                                           const struct chain *chain, struct fork_steps *out)
{
	struct candidates candidates = {0};
	struct hence_error *error = NULL;

	list_candidates(f, moments, chain, &candidates);
	for (uint32_t side = 0; side < 2 && !error && candidates.all.size; side++)
		error = find_points(f, &candidates, side);
	if (!error && candidates.all.size)
		error = describe(f, &candidates);
	if (!error)
		error = prove_all(f, &candidates, out);
	for (uint32_t i = 0; i < candidates.all.size; i++)
		explanation_step_deinit(&candidates.all.at[i].step);
	vec_deinit(&candidates.all);
	return error;
}

/* ------ what is shown by experiment ------ */

/* That the variables of a step cause the failure, in both runs where that is possible, and that
   they cause those of the next step (the chain property of M2). */

#define DETOUR 4u /* steps of another chain that are looked past */

/* --- the chain --- */

/* Finds anew what is relevant at a point, so that it causes what is at the next. */
static struct hence_error *recompute(struct finder *f, struct hybrid_point *point,
                                     struct hybrid_goal *goal, bool *found)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set chosen GUARD(dd_set_deinit) = {0};
	struct hence_error *error;

	dd_set_init(&chosen, point->count, false);
	error = isolate(f, point, goal, &chosen);
	/* It must cause the failure as well. */
	if (!error && chosen.size)
		error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &chosen, NULL, &verdict);
	*found = !error && verdict == VERDICT_FAIL && !finder_is_over(f);
	if (*found)
		isolate_set(f, point, &chosen);
	return error;
}

static struct hence_error *make_goal(struct finder *f, const struct transition_moment *moment,
                                     struct hybrid_goal **out)
{
	struct hybrid_point *point = finder_point(f, moment->time);
	struct dd_set chosen GUARD(dd_set_deinit) = {0};

	*out = NULL;
	isolate_choose(f, point, moment->set, &chosen);
	return chosen.size ? hybrid_goal_create(&f->h, point, &chosen, NULL, 0, out) : NULL;
}

GUARD_DEFINE(goal, struct hybrid_goal *, hybrid_goal_destroy)

/* Does what is relevant at a moment bring about the goal in the reference? */
static struct hence_error *ask_link(struct finder *f, const struct transition_moment *from,
                                    struct hybrid_goal *goal, enum verdict *verdict)
{
	struct dd_set chosen GUARD(dd_set_deinit) = {0};

	*verdict = VERDICT_UNRESOLVED;
	isolate_choose(f, finder_point(f, from->time), from->set, &chosen);
	return hybrid_ask(&f->h, finder_point(f, from->time), HYBRID_REFERENCE, &chosen, goal,
	                  verdict);
}

/* Does what is relevant at each moment of the chain cause what is at the next? Where it does not,
   it is found anew, and the moment gets that set: then *changed. `certain`: also where nobody can
   tell. The points of the chain are prepared. */
static struct hence_error *proofs_check_chain(struct finder *f, struct transition_moments *moments,
                                              const struct chain *chain, bool certain,
                                              bool *changed)
{
	struct hence_error *error = NULL;

	*changed = false;
	for (uint32_t i = chain->at.size; i-- > 1 && !error && !finder_is_over(f);) {
		struct transition_moment *from = &moments->all.at[chain->at.at[i - 1]];
		struct hybrid_goal *goal GUARD(goal_guard) = NULL;
		enum verdict verdict;
		bool found = false;

		error = make_goal(f, &moments->all.at[chain->at.at[i]], &goal);
		if (!error && goal)
			error = ask_link(f, from, goal, &verdict);
		/* Neither value: the hybrid went a way of its own, which says nothing. */
		if (error || !goal || verdict == VERDICT_FAIL ||
		    (verdict == VERDICT_UNRESOLVED && !certain))
			continue;
		error = recompute(f, finder_point(f, from->time), goal, &found);
		if (error || !found)
			continue;
		*changed |= isolate_look(f, from->time)->set != from->set;
		from->set = isolate_look(f, from->time)->set;
	}
	return error;
}

static void take_out(struct chain *chain, uint32_t at)
{
	memmove(&chain->at.at[at], &chain->at.at[at + 1],
	        (chain->at.size - at - 1) * sizeof(*chain->at.at));
	chain->at.size--;
}

/* Does the moment at `from` in the chain cause the one at `to`? Unresolved: nobody knows. After the last comes the
   failure, which each causes. */
static struct hence_error *causes(struct finder *f, const struct transition_moments *moments,
                                  const struct chain *chain, uint32_t from, uint32_t to,
                                  enum verdict *out)
{
	struct hybrid_goal *goal GUARD(goal_guard) = NULL;
	struct hence_error *error;

	*out = to < chain->at.size ? VERDICT_UNRESOLVED : VERDICT_FAIL;
	if (to >= chain->at.size)
		return NULL;
	error = make_goal(f, &moments->all.at[chain->at.at[to]], &goal);
	return error || !goal ? error
	                      : ask_link(f, &moments->all.at[chain->at.at[from]], goal, out);
}

/* The moment at `at` is not caused by the one before it: one of them does not belong to the chain.
   Gives where to look on. */
static struct hence_error *mend(struct finder *f, struct transition_moments *moments,
                                struct chain *chain, uint32_t *at)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error = NULL;
	uint32_t to;

	if (*at > 1)
		error = causes(f, moments, chain, *at - 2, *at, &verdict);
	if (!error && verdict == VERDICT_FAIL) {
		take_out(chain, --*at);
		return NULL;
	}
	for (to = *at + 1; verdict != VERDICT_FAIL && !error && to <= *at + DETOUR; to++)
		if (to < chain->at.size || to == *at + 1)
			error = causes(f, moments, chain, *at - 1, to, &verdict);
	moments->all.at[chain->at.at[*at]].apart = error || verdict != VERDICT_FAIL;
	if (error || verdict != VERDICT_FAIL)
		return error;
	for (uint32_t i = *at + 1; i < to; i++)
		take_out(chain, *at);
	if (*at < chain->at.size)
		moments->all.at[chain->at.at[*at]].apart = false;
	return NULL;
}

/* Takes out moments that those before them do not cause, if the chain holds without them; marks
   them as apart if it does not. */
static struct hence_error *proofs_prune_chain(struct finder *f, struct transition_moments *moments,
                                              struct chain *chain)
{
	struct hence_error *error = NULL;

	for (uint32_t i = chain->at.size; i-- > 1 && !error && !finder_is_over(f);) {
		enum verdict verdict;

		error = causes(f, moments, chain, i - 1, i, &verdict);
		if (!error && verdict == VERDICT_PASS)
			error = mend(f, moments, chain, &i);
	}
	return error;
}

/* --- one step --- */

static struct hence_error *add_proof(struct finder *f, struct explanation_step *to,
                                     struct hybrid_point *point, const struct dd_set *chosen,
                                     bool in_failing)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error =
		hybrid_ask(&f->h, point, in_failing ? HYBRID_FAILING : HYBRID_REFERENCE, chosen,
	                   NULL, &verdict);
	struct explanation_proof *proof;

	if (error || finder_is_over(f))
		return error;
	proof = cause_add_proof(to, in_failing ? EXPLANATION_FAILING : EXPLANATION_REFERENCE,
	                        verdict);
	proof->experiment = f->h.asked;
	to->proven |= cause_is_shown(proof);
	return NULL;
}

/* Adds the experiments that show that the variables of a point of the result, which is prepared,
   cause the failure. */
static struct hence_error *proofs_add(struct finder *f, struct explanation_step *to)
{
	struct hybrid_point *point = finder_point(f, to->time);
	struct dd_set chosen GUARD(dd_set_deinit) = {0};
	struct hence_error *error;

	isolate_choose(f, point, isolate_look(f, to->time)->set, &chosen);
	error = add_proof(f, to, point, &chosen, false);
	if (!error)
		error = add_proof(f, to, point, &chosen, true);
	return error;
}

/* ------ the chain as the caller gets it ------ */

#define MOST_SEVERAL 3u /* points with several variables that are noted */

static struct explanation_step step_of(const struct finder *f, const struct look *look)
{
	struct explanation_step step = {
		.kind = EXPLANATION_VALUE,
		.time = look->time,
		.reference_time = alignment_of_a(f->h.pair.alignment, look->time),
	};

	for (uint32_t i = 0; i < look->variables.size; i++) {
		const struct look_variable *v = &look->variables.at[i];

		*vec_push(&step.values) = (struct explanation_value){
			.name = mem_strdup(v->name),
			.failing = mem_strdup(v->failing ? v->failing : "?"),
			.reference = mem_strdup(v->reference ? v->reference : "?"),
			.function = mem_strdup_or_null(v->function),
		};
	}
	return step;
}

/* The statement that made the transition: the one that wrote the variable, if that is between the
   two points; else the one at the earlier point, or any up to the later one. */
static void set_maker(const struct finder *f, const struct transition_moments *moments, uint32_t at,
                      struct described_step *out)
{
	const struct look *look = isolate_look(f, moments->all.at[at].time);
	uint64_t maker = choose_maker(f, look), before = moments->all.at[at - 1].time;
	uint32_t other = at - 1;

	/* The last moment before it at which something was relevant. */
	while (other && !moments->all.at[other].set)
		other--;
	if (maker && maker >= (moments->all.at[other].set ? moments->all.at[other].time : before)) {
		out->maker = maker;
		return;
	}
	out->maker = before;
	if (before + 1 < look->time)
		out->until = look->time - 1;
}

static struct hence_error *describe_points(struct finder *f,
                                           const struct transition_moments *moments,
                                           const struct chain *chain)
{
	struct transitions *out = f->out;
	struct described_step *described GUARD_FREE =
		mem_alloc((out->found.steps.size + 1) * sizeof(*described));
	struct hence_error *error;

	for (uint32_t i = 0; i < out->found.steps.size; i++) {
		struct explanation_step *step = &out->found.steps.at[i];
		uint32_t at = chain->at.at[i];

		described[i].step = step;
		described[i].calls = calls_is_call(&f->calls, step->time);
		described[i].begins = calls_is_entry(&f->calls, step->time);
		if (at > 0)
			set_maker(f, moments, at, &described[i]);
	}
	error = cause_describe(f->h.pair.runs[true].recording, described, out->found.steps.size);
	for (uint32_t i = 0; i < out->found.steps.size; i++)
		described_step_deinit(&described[i]);
	return error;
}

/* Puts the branches between the moments that they lie between. */
static void insert_forks(struct transitions *out, struct fork_steps *forks)
{
	for (uint32_t i = forks->all.size; i-- > 0;) {
		uint32_t at = forks->all.at[i].link + 1;

		vec_push(&out->found.steps);
		memmove(&out->found.steps.at[at + 1], &out->found.steps.at[at],
		        (out->found.steps.size - 1 - at) * sizeof(*out->found.steps.at));
		out->found.steps.at[at] = forks->all.at[i].step;
	}
	vec_deinit(&forks->all);
}

/* Adds the moments of the chain, whose points are prepared, with their proofs, places and the
   branches between them. */
static struct hence_error *result_add_points(struct finder *f,
                                             const struct transition_moments *moments,
                                             const struct chain *chain)
{
	struct transitions *out = f->out;
	struct fork_steps forks = {0};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < chain->at.size; i++) {
		/* Adds a moment of the chain. */
		uint32_t at = chain->at.at[i];
		const struct look *look = isolate_look(f, moments->all.at[at].time);
		const struct hybrid_point *hybrid = finder_point(f, look->time);
		struct explanation_step *step = vec_push(&f->out->found.steps);

		*step = step_of(f, look);
		step->instance = hybrid->points[true].count;
		step->reference_instance = hybrid->points[false].count;
		step->apart = moments->all.at[at].apart;
		/* Where the variables only got other values, the statement that wrote them is
		   known. */
		step->transition =
			at > 0 && (moments->all.at[at].direct ||
		                   moments->all.at[at].set == moments->all.at[at - 1].set);
	}
	for (uint32_t i = 0; i < out->found.steps.size && !error && !finder_is_over(f); i++)
		error = proofs_add(f, &out->found.steps.at[i]);
	if (!error)
		error = describe_points(f, moments, chain);
	if (!error)
		error = fork_steps_find(f, moments, chain, &forks);
	insert_forks(out, &forks);
	return error;
}

/* Adds every moment, for --all-points: a transition where the set is another than at the last moment that has one. */
static struct hence_error *result_add_all(struct finder *f,
                                          const struct transition_moments *moments)
{
	uint32_t count = moments->all.size, before = 0;
	struct described_step *described GUARD_FREE = mem_alloc((count + 1) * sizeof(*described));
	struct explanation_step *steps GUARD_FREE = mem_alloc((count + 1) * sizeof(*steps));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		const struct look *look = isolate_look(f, moments->all.at[i].time);

		steps[i] = step_of(f, look);
		steps[i].transition = before && look->set && look->set != before;
		before = look->set ? look->set : before;
		described[i].step = &steps[i];
	}
	error = cause_describe(f->h.pair.runs[true].recording, described, count);
	for (uint32_t i = 0; i < count; i++)
		*vec_push(&f->out->all) = steps[i];
	return error;
}

void transitions_deinit(struct transitions *t)
{
	causes_deinit(&t->found);
	for (uint32_t i = 0; i < t->all.size; i++)
		explanation_step_deinit(&t->all.at[i]);
	vec_deinit(&t->all);
}

/* ------ the whole ------ */

#define ROUNDS 3u /* of searches, when variables had to be found anew */
#define BACK   16u /* points before the symptom that are tried, each twice as far as the one before */

/* --- the search --- */

static struct hence_error *prepare(void *context, const uint64_t *times, uint32_t count)
{
	struct finder *f = context;

	f->h.phase = "searching for transitions";
	return finder_prepare(f, times, count);
}

/* --- the first and the last point --- */

static struct hence_error *look_at_point(struct finder *f, struct transition_moments *moments,
                                         uint64_t time, uint32_t after, uint32_t *set)
{
	struct hence_error *error = isolate_relevant(f, time, 0, after, set);

	if (!error)
		transition_moments_add(moments, time, *set);
	return error;
}

/* Where the value that is wrong is in no variable (the result of a call that is printed at once),
   points further back are tried. */
static struct hence_error *look_back(struct finder *f, struct transition_moments *moments,
                                     uint32_t *set)
{
	uint64_t times[BACK];

	/* Aligned times before the last one, each twice as far away as the one before, in order. */
	uint64_t reversed[BACK];
	uint32_t count = 0;

	for (uint64_t step = 1; count < BACK && step < f->last - f->first; step *= 2) {
		uint64_t time = alignment_until_a(f->h.pair.alignment, f->last - step);

		if (time > f->first && (!count || reversed[count - 1] != time))
			reversed[count++] = time;
	}
	for (uint32_t i = 0; i < count; i++)
		times[i] = reversed[count - 1 - i];

	struct hence_error *error = count ? finder_prepare(f, times, count) : NULL;

	for (uint32_t i = count; i-- > 0 && !error && !*set && !finder_is_over(f);)
		error = look_at_point(f, moments, times[i], 0, set);
	return error;
}

/* Looks at both ends. */
static struct hence_error *look_at_ends(struct finder *f, struct transition_moments *moments)
{
	uint64_t times[] = {f->first, f->last};
	uint32_t set = 0, at_first;
	struct hence_error *error = finder_prepare(f, times, f->first < f->last ? 2 : 1);

	if (!error)
		error = hybrids_check(&f->h, &f->points.at[0]);
	if (!error && f->first < f->last)
		error = look_at_point(f, moments, f->last, 0, &set);
	if (!error && !set)
		error = look_back(f, moments, &set);
	if (!error && !finder_point(f, f->first))
		error = finder_prepare(f, times, 1);
	if (!error)
		error = look_at_point(f, moments, f->first, set, &at_first);
	return error;
}

static struct hence_error *choose_ends(struct finder *f, const struct symptom *symptom)
{
	struct hence_error *error =
		calls_find(f->h.pair.runs[true].recording, symptom->failing_time, &f->calls);

	if (error)
		return error;
	f->first = f->calls.main ? alignment_from_a(f->h.pair.alignment, f->calls.main) : 0;
	f->last = alignment_until_a(f->h.pair.alignment, symptom->failing_time);
	if (!f->first || f->last < f->first)
		return error_create(HENCE_ERROR_INPUT,
		                    "the two runs have no point in common between the start of "
		                    "main() and the failure");
	return NULL;
}

/* --- the chain --- */

/* Does what is about to be returned only hand on the values of one of the variables before? */
static bool hands_on(const struct look *before, const struct look_variable *result)
{
	for (uint32_t i = 0; before && i < before->variables.size; i++) {
		const struct look_variable *v = &before->variables.at[i];

		if (v->failing && v->reference && result->failing && result->reference &&
		    !strcmp(v->failing, result->failing) &&
		    !strcmp(v->reference, result->reference))
			return true;
	}
	return false;
}

/* Is there a variable of the program among them, or a result that its function made? That of main()
   the symptom tells. */
static bool is_shown(const struct look *before, const struct look *look)
{
	for (uint32_t i = 0; i < look->variables.size; i++) {
		const struct look_variable *v = &look->variables.at[i];

		if (!v->hidden ||
		    (v->function && strcmp(v->function, "main") && !hands_on(before, v)))
			return true;
	}
	return false;
}

static bool same_values(const struct finder *f, const struct transition_moments *moments,
                        uint32_t a, uint32_t b)
{
	return choose_same_values(isolate_look(f, moments->all.at[a].time),
	                          isolate_look(f, moments->all.at[b].time));
}

/* Ends a stretch of time in which the same variables are relevant: `latest` is the first moment at
   which they have the values that they have at its end. */
static void end_stretch(const struct finder *f, const struct transition_moments *moments,
                        uint32_t latest, struct chain *out)
{
	if (out->at.size && !same_values(f, moments, out->at.at[out->at.size - 1], latest))
		*vec_push(&out->at) = latest;
}

/* Moments at which a value is only on its way out of a function are passed over. */
static void find_chain(const struct finder *f, const struct transition_moments *moments,
                       struct chain *out)
{
	uint32_t set = 0, latest = 0;

	out->at.size = 0;
	for (uint32_t i = 0; i < moments->all.size; i++) {
		const struct transition_moment *moment = &moments->all.at[i];
		const struct look *before =
			set ? isolate_look(f, moments->all.at[latest].time) : NULL;

		if (!moment->set || !is_shown(before, isolate_look(f, moment->time)))
			continue;
		if (moment->set == set) {
			latest = same_values(f, moments, latest, i) ? latest : i;
			continue;
		}
		end_stretch(f, moments, latest, out);
		*vec_push(&out->at) = latest = i;
		set = moment->set;
	}
	end_stretch(f, moments, latest, out);
}

static struct hence_error *prepare_chain(struct finder *f, const struct transition_moments *moments,
                                         const struct chain *chain)
{
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < chain->at.size; i++)
		*vec_push(&times) = moments->all.at[chain->at.at[i]].time;
	error = finder_prepare(f, times.at, times.size);
	for (uint32_t i = 0; i < f->points.size && !error; i++)
		error = hybrid_compare(&f->h, &f->points.at[i]);
	vec_deinit(&times);
	return error;
}

/* Searches until each set of the chain causes the next. */
static struct hence_error *find_moments(struct finder *f, struct transition_moments *moments,
                                        struct chain *chain)
{
	const struct transition_search search = {.count = choose_count,
	                                         .between = choose_between,
	                                         .back = choose_back,
	                                         .detour = choose_detour,
	                                         .prepare = prepare,
	                                         .relevant = isolate_relevant,
	                                         .budget = f->h.pair.budget,
	                                         .context = f};
	struct hence_error *error = NULL;
	bool changed = true;

	for (uint32_t round = 0; round < ROUNDS && changed && !error; round++) {
		changed = false;
		error = transition_search_run(&search, moments);
		find_chain(f, moments, chain);
		if (!error && chain->at.size)
			error = prepare_chain(f, moments, chain);
		f->h.phase = "proving";
		if (!error && !finder_is_over(f))
			error = proofs_check_chain(f, moments, chain, false, &changed);
	}
	if (changed && !error) {
		find_chain(f, moments, chain);
		error = prepare_chain(f, moments, chain);
	}
	return error;
}

/* What was found to be caused by a step that does not belong to the chain is looked at again
   without it. */
static struct hence_error *prune(struct finder *f, struct transition_moments *moments,
                                 struct chain *chain)
{
	uint32_t before = chain->at.size;
	struct hence_error *error = proofs_prune_chain(f, moments, chain);
	bool changed = false;

	if (!error && chain->at.size < before)
		error = proofs_check_chain(f, moments, chain, true, &changed);
	if (!error && changed)
		error = prepare_chain(f, moments, chain);
	if (!error && changed)
		error = proofs_prune_chain(f, moments, chain);
	return error;
}

/* --- all --- */

struct hence_error *transitions_find(const struct comparison *pair, bool all_points,
                                     struct transitions *out)
{
	struct transitions found = {0};
	struct finder f = {.h = {.pair = *pair}, .all_points = all_points, .out = &found};

	struct transition_moments moments = {0};
	struct chain chain = {0};
	struct hence_error *error = choose_ends(&f, pair->symptom);

	f.h.phase = "looking at the ends";
	if (!error)
		error = look_at_ends(&f, &moments);
	if (!error)
		error = find_moments(&f, &moments, &chain);
	if (!error && chain.at.size)
		error = prune(&f, &moments, &chain);
	if (!error)
		error = result_add_points(&f, &moments, &chain);
	if (!error && f.all_points)
		error = result_add_all(&f, &moments);
	if (!error) {
		/* Adds what could not be established. */
		uint32_t count = 0;
		bool incomplete = false;

		for (uint32_t i = 0; i < f.out->found.steps.size; i++) {
			const struct explanation_step *step = &f.out->found.steps.at[i];

			if (step->values.size > 1 && count++ < MOST_SEVERAL)
				finder_note(&f,
				            "at %s:%u none of the %u variables is enough by itself",
				            step->at.file ? step->at.file : "?", step->at.line,
				            step->values.size);
		}
		if (count > MOST_SEVERAL)
			finder_note(&f, "nor is any at %u more points", count - MOST_SEVERAL);

		for (uint32_t i = 0; i < f.looks.size; i++)
			incomplete |= f.looks.at[i].incomplete;
		if (!f.out->found.steps.size && !f.out->found.stopped)
			finder_note(
				&f,
				"at none of the %u points that were tried do the differences "
				"between "
				"the two states make the reference run fail: what decides is %s",
				f.looks.size,
				incomplete ? "in the middle of expressions, in no variable"
					   : "in no variable of the program");
		if (f.calls.partial)
			finder_note(&f, "the run has too many calls: deep ones were not preferred");
	}
	f.out->found.stopped |= moments.stopped;
	f.out->found.experiments = f.h.asked;
	vec_deinit(&chain.at);
	vec_deinit(&moments.all);

	forget_points(&f);
	vec_deinit(&f.points);
	for (uint32_t i = 0; i < f.looks.size; i++)
		forget_variables(&f.looks.at[i]);
	vec_deinit(&f.looks);
	for (uint32_t i = 0; i < f.sets.size; i++)
		vec_deinit(&f.sets.at[i].keys);
	vec_deinit(&f.sets);
	calls_deinit(&f.calls);

	if (error)
		transitions_deinit(&found);
	else
		*out = found;
	return error;
}
